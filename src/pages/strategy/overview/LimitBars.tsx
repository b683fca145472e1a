import type { LimitName, OverviewRow } from '#contract/strategyOverview';
import { LimitBar } from '@/components/LimitBar';
import { LIMIT_LABEL } from './limitLabels';
import styles from './overview.module.css';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');

/** How much of each of its limits a strategy has used. */
export function LimitBars({ row: { limits, used } }: { row: OverviewRow }) {
  const set = (Object.keys(LIMIT_LABEL) as LimitName[]).filter((name) => limits[name] !== null);
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
            used={figure === null || limit === 0 ? 0 : figure / limit}
            figure={text}
            text={`已用 ${text} USDT`}
            meaning="bad"
          />
        );
      })}
    </div>
  );
}
