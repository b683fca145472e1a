import { MEND_WAYS } from '#contract/lifecycle';
import type { DealRow } from '#contract/strategies';
import { MEND_LABEL } from '@/components/labels';

/** Both ways to bring the legs of a deal together; what they do is loaded when somebody asks for it. */
export const mendActions = (row: DealRow, done: () => void) =>
  MEND_WAYS.map((way) => ({
    key: way,
    label: MEND_LABEL[way],
    run: () => void import('./dealActions').then(({ confirmMend }) => confirmMend(row, way, done)),
  }));
