import { memo } from 'react';
import type { OverviewDays } from '#contract/strategyOverview';
import { Amount } from '@/components/Amount';
import { Heat } from '@/components/Heat';
import { Percent } from '@/components/Percent';
import { PlainTable } from '@/table/PlainTable';
import type { Named } from './groups';
import styles from './overview.module.css';

interface CorrelationPanelProps {
  rows: readonly Named[];
  days: readonly OverviewDays[];
  /** In the order of `days`. */
  correlation: readonly (readonly (number | null)[])[];
}

interface Line {
  row: Named;
  riskShare: number | null;
  id: string;
  values: readonly (number | null)[];
}

const titleOf = ({ name, user }: Named) => `${name} · ${user}`;

/** How the results of the days of strategies go together; those without twenty days are left out. */
export const CorrelationPanel = memo(function CorrelationPanel({ rows, days, correlation }: CorrelationPanelProps) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const known = days.flatMap(({ id, riskShare }, i) => {
    const row = byId.get(id);
    return row && correlation[i]?.some((value) => value !== null) ? [{ row, id, riskShare, i }] : [];
  });
  const lines = known.map(
    ({ i, ...line }): Line => ({ ...line, values: known.map((other) => correlation[i]![other.i]!) }),
  );
  return (
    <section className={`card ${styles.panel}`} aria-label="日盈亏的相关性与风险贡献">
      <header className={styles.tools}>
        <h2>日盈亏的相关性与风险贡献</h2>
        <span className="soft">F17，最近 30 日；共同的天数不足 20 的不列</span>
      </header>
      {lines.length < 2 ? (
        <p className={styles.note}>还没有两个各有 20 日盈亏的策略。</p>
      ) : (
        <PlainTable
          label="日盈亏的相关性"
          rowKey="id"
          rows={lines}
          pagination={false}
          columns={[
            { key: 'name', title: '策略', width: 150, fixed: 'left', render: ({ row }: Line) => titleOf(row) },
            {
              key: 'riskShare',
              title: '风险贡献',
              width: 100,
              figure: true,
              explain: {
                text: '它的日盈亏占全部策略日盈亏合计的波动多少；负的抵消别的策略',
                formula: 'Cov(日盈亏, 合计) / Var(合计)，各策略相加为 100%',
                window: '最近 30 日',
              },
              render: ({ riskShare }: Line) => <Percent value={riskShare} digits={1} reason="日盈亏不足 20 日" />,
            },
            ...lines.map((column, j) => ({
              key: column.id,
              title: titleOf(column.row),
              width: 120,
              figure: true,
              render: ({ values }: Line) => (
                <span className={styles.cell}>
                  {values[j] != null && <Heat value={values[j]} full={1} />}
                  <Amount value={values[j]} digits={2} reason="共同的天数不足 20" />
                </span>
              ),
            })),
          ]}
        />
      )}
    </section>
  );
});
