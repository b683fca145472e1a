import type { EvaluateRow } from '#contract/evaluate';

/** The rank, and how many places it gained or lost since the day before. */
export function RankCell({ row: { rank, rankChange } }: { row: EvaluateRow }) {
  const change =
    rankChange === null ? '新' : rankChange > 0 ? `▲${rankChange}` : rankChange < 0 ? `▼${-rankChange}` : '';
  const meaning = rankChange === null ? '前一日不在排名中' : `较前一日 ${rankChange > 0 ? '+' : ''}${rankChange}`;
  return (
    <span className="figure">
      {rank}{' '}
      <small className={rankChange && rankChange > 0 ? 'up' : rankChange ? 'down' : 'missing'} title={meaning}>
        {change}
      </small>
    </span>
  );
}
