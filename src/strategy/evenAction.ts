import type { DealRow } from '#contract/strategies';

/** Evens the legs of a deal out; what it does is loaded when somebody asks for it. */
export const evenAction = (row: DealRow, done: () => void) => ({
  key: 'even',
  label: row.state === 'opening' ? '立即补齐' : '配平',
  run: () => void import('./dealActions').then(({ confirmEven }) => confirmEven(row, done)),
});
