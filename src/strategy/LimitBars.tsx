import { Tooltip } from 'antd';
import type { LimitName } from '#contract/strategyLimits';
import type { StrategyRow } from '#contract/strategyRow';
import { LimitBar } from '@/components/LimitBar';
import { Percent } from '@/components/Percent';
import type { Column } from '@/table/column';
import { LIMIT_LABEL } from './limitLabels';
import styles from './strategy.module.css';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');

/** Of any row that has them. */
type Limited = Pick<StrategyRow, 'limits' | 'used'>;

const setOf = ({ limits }: Limited) =>
  (Object.keys(LIMIT_LABEL) as LimitName[]).filter((name) => limits[name] !== null);
const shareOf = ({ limits, used }: Limited, name: LimitName): number =>
  used[name] === null || !limits[name] ? 0 : used[name] / limits[name];

/** How much of the limit that it is nearest to a strategy has used; null without one. */
function mostUsed(row: Limited): number | null {
  const set = setOf(row);
  return set.length === 0 ? null : Math.max(...set.map((name) => shareOf(row, name)));
}

/** How much of each of its limits a strategy has used. */
export function LimitBars({ row }: { row: Limited }) {
  const { limits, used } = row;
  const set = setOf(row);
  if (set.length === 0) return <span className="soft">不限</span>;
  return (
    <div className={styles.bars}>
      {set.map((name) => {
        const limit = limits[name] ?? 0;
        const figure = used[name];
        const text = `${figure === null ? '-' : whole(figure)} / ${whole(limit)}`;
        return (
          <LimitBar
            key={name}
            label={LIMIT_LABEL[name]}
            used={shareOf(row, name)}
            figure={text}
            text={`已用 ${text} USDT`}
            meaning="bad"
          />
        );
      })}
    </div>
  );
}

/** How near a strategy is to the nearest of its limits. */
export const LIMIT_USED: Column<Limited> = {
  key: 'limitUsed',
  title: '限额已用',
  width: 80,
  figure: true,
  render: (row) => (
    <Tooltip title={<LimitBars row={row} />}>
      <span>
        <Percent value={mostUsed(row)} digits={0} reason="没有设限额" />
      </span>
    </Tooltip>
  ),
  csv: mostUsed,
  written: { digits: 0, percent: true },
  explain: { text: '设了的限额（最大回撤、单日亏损、最大名义）里用得最多的一项' },
};
