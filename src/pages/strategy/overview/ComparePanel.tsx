import type { OverviewRow } from '#contract/strategyOverview';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import styles from './overview.module.css';

export const MOST_COMPARED = 5;
const LEFT_OUT = new Set(['name', 'note', 'actions']);

interface ComparePanelProps {
  /** Those of the list; each figure becomes a row. */
  columns: readonly Column<OverviewRow>[];
  rows: readonly OverviewRow[];
}

/** Two to five strategies side by side, a figure a row. */
export function ComparePanel({ columns, rows }: ComparePanelProps) {
  if (rows.length === 0) return null;
  if (rows.length === 1) return <p className="soft">再勾选一到四个策略即可对比。</p>;
  const figures = columns.filter(({ key }) => !LEFT_OUT.has(key));
  return (
    <section className={styles.panel} aria-label="对比">
      <header className={styles.tools}>
        <h2>对比</h2>
      </header>
      <PlainTable
        label="对比"
        rowKey="key"
        rows={figures}
        pagination={false}
        columns={[
          { key: 'title', title: '指标', width: 110, fixed: 'left', render: ({ title }) => title },
          ...rows.map((row) => ({
            key: row.id,
            title: `${row.name} · ${row.user}`,
            width: 170,
            figure: true,
            render: (figure: Column<OverviewRow>) => figure.render(row),
          })),
        ]}
      />
    </section>
  );
}
