import { LEGS_ENTRY_LABEL } from '#contract/legsEntry';
import { PEG_MS } from '#contract/lifecycle';

export const PEG_TEXT = `每 ${PEG_MS / 1000} 秒按最优价重挂`;

/** @param rests which leg it is that rests */
export const entryHelp = (rests: string): string =>
  `${LEGS_ENTRY_LABEL.maker}：${rests}挂在本方最优价，${PEG_TEXT}，成交多少另一腿就按市价对冲多少；开仓条件与成本仍按两腿吃单计`;
