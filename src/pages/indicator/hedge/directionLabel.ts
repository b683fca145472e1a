import type { Direction, Factor } from '#contract/evaluate';
import { DIRECTION_LABEL } from '#contract/lifecycle';

export const FACTOR_LABEL: Record<Factor, string> = {
  ret7: '7 日收益',
  ret30: '30 日收益',
  vol30: '30 日波动率',
  fundingApr: '资金费 APR',
};

/** A stored value of an edit as the reader knows it. */
export function editText(field: 'direction' | 'note', value: string): string {
  // Not 空, which is the short side.
  if (value === '') return field === 'direction' ? '未评' : '无';
  return field === 'direction' ? (DIRECTION_LABEL[value as Direction] ?? value) : value;
}
