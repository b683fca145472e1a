import { Button } from 'antd';
import { useState } from 'react';
import type { AttentionRow } from '#contract/kinds/hedge/desk';
import { CardFigures, Cards, RowCard } from '@/table/RowCard';
import { attentionColumns } from './attentionColumns';

interface AttentionCardsProps {
  rows: readonly AttentionRow[];
  at: number;
  refresh: () => void;
}

/** The orders below must stay in reach. */
const AT_FIRST = 2;

/** The same rows on a phone: one card each, which says what the columns say. */
export function AttentionCards({ rows, at, refresh }: AttentionCardsProps) {
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
