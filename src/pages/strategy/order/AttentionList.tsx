import { useMemo } from 'react';
import type { AttentionRow } from '#contract/kinds/hedge/desk';
import { useNarrow } from '@/components/useNarrow';
import { PlainTable } from '@/table/PlainTable';
import { AttentionCards } from './AttentionCards';
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
