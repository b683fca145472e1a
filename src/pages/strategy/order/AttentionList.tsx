import { Button } from 'antd';
import { useMemo, useState } from 'react';
import type { AttentionRow } from '#contract/kinds/hedge/attention';
import { useNarrow } from '@/components/useNarrow';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, Cards, RowCard } from '@/table/RowCard';
import styles from './attention.module.css';
import { attentionColumns } from './attentionColumns';
import page from './index.module.css';

const PAGING = { hideOnSinglePage: true, pageSize: 10, showSizeChanger: false } as const;

interface AttentionListProps {
  rows: readonly AttentionRow[];
  /** With those that are not among them. */
  total: number;
  /** When they were read, UTC ms. */
  at: number;
  refresh: () => void;
}

/** The hedges that need a person: a table, and cards on a phone. */
export default function AttentionList({ rows, total, at, refresh }: AttentionListProps) {
  const narrow = useNarrow();
  const columns = useMemo(() => attentionColumns(at, refresh), [at, refresh]);
  return (
    <section className={`${page.card} ${styles.attention}`} aria-label="需要处理">
      <h2>
        需要处理（{total}）<span className="soft">所有用户的对冲单中已冻结、方向有误，或用户已停用的</span>
      </h2>
      {narrow ? (
        <AttentionCards rows={rows} at={at} refresh={refresh} />
      ) : (
        <PlainTable label="需要处理" rowKey="id" columns={columns} rows={rows} pagination={PAGING} />
      )}
    </section>
  );
}

interface AttentionCardsProps {
  rows: readonly AttentionRow[];
  at: number;
  refresh: () => void;
}

/** The orders below must stay in reach. */
const AT_FIRST = 2;

/** The same rows on a phone: one card each, which says what the columns say. */
function AttentionCards({ rows, at, refresh }: AttentionCardsProps) {
  const [all, setAll] = useState(false);
  const columns = attentionColumns(at, refresh);
  const hidden = all ? 0 : rows.length - AT_FIRST;
  return (
    <Cards>
      {rows.slice(0, all ? undefined : AT_FIRST).map((row) => (
        <RowCard key={row.id} label={`${row.user} ${row.long} / ${row.short}`}>
          <CardFigures figures={columns.map(({ title, wide, render }) => [title, render(row), wide])} columns={2} />
        </RowCard>
      ))}
      {hidden > 0 && <Button onClick={() => setAll(true)}>显示其余 {hidden} 张</Button>}
    </Cards>
  );
}
