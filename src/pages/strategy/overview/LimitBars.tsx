import type { LimitName, OverviewRow } from '#contract/strategyOverview';
import { LimitBar } from '@/components/LimitBar';
import { LIMIT_LABEL } from './limitLabels';
import styles from './overview.module.css';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');

const setOf = ({ limits }: OverviewRow) =>
  (Object.keys(LIMIT_LABEL) as LimitName[]).filter((name) => limits[name] !== null);
const shareOf = ({ limits, used }: OverviewRow, name: LimitName): number =>
  used[name] === null || !limits[name] ? 0 : used[name] / limits[name];

/** How much of the limit that it is nearest to a strategy has used; null without one. */
export function mostUsed(row: OverviewRow): number | null {
  const set = setOf(row);
  return set.length === 0 ? null : Math.max(...set.map((name) => shareOf(row, name)));
}

/** How much of each of its limits a strategy has used. */
export function LimitBars({ row }: { row: OverviewRow }) {
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
