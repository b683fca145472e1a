import { Tooltip } from 'antd';
import { HEDGE_ENDS } from '#contract/lifecycle';
import type { DealRow } from '#contract/strategyRow';
import { DateTime } from '@/components/DateTime';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { exitLines, exitText, standText } from './exitRule';
import styles from './strategy.module.css';
import { whyHeld, whyNow } from './whyHeld';

/** In words what {@link WhyCell} says. */
export const whyText = (row: DealRow, unruled?: string): string =>
  whyNow(row, row.rules) !== null || row.rules.length === 0
    ? whyHeld(row, row.rules, unruled)
    : exitLines(row.rules).join('；');

/** Why a deal is still held and what closes it, in two lines; of one that has ended when it did. */
export function WhyCell({ row, unruled }: { row: DealRow; unruled: string | undefined }) {
  const { rules, closedAt, state } = row;
  if (HEDGE_ENDS.includes(state)) return <DateTime value={closedAt} reason="没有开成" />;
  const now = whyNow(row, rules);
  if (now !== null || rules.length === 0) return <div className={styles.whole}>{whyText(row, unruled)}</div>;
  const all = rules.map((rule) => (
    <div key={`${rule.reason} ${rule.by}`}>
      {CLOSE_REASON_LABEL[rule.reason]}：{exitText(rule)}，现在 {standText(rule)}
    </div>
  ));
  return (
    <Tooltip title={all}>
      <div className={styles.whyLines}>
        {exitLines(rules).map((line, i) => (
          <div key={line} className={i > 0 ? 'soft' : undefined}>
            {line}
          </div>
        ))}
      </div>
    </Tooltip>
  );
}
