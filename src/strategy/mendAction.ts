import type { DealRow } from '#contract/strategies';
import { MEND_LABEL } from '@/components/labels';

/** Brings the legs of a deal together; what it does is loaded when somebody asks for it. */
export const mendAction = (row: DealRow, done: () => void) => {
  const way = row.state === 'opening' ? 'complete' : 'unwind';
  return {
    key: 'mend',
    label: MEND_LABEL[way],
    run: () => void import('./dealActions').then(({ confirmMend }) => confirmMend(row, way, done)),
  };
};
