import type { ReactNode } from 'react';
import type { FillRow, OrderRow } from '#contract/order';
import { type CardFigure, CardFigures, RowCard } from '@/table/RowCard';
import { SideCell } from './tradeColumns';

interface TradeCardProps {
  row: OrderRow | FillRow;
  figures: readonly CardFigure[];
  tag: ReactNode;
  action: ReactNode;
}

/** An order or a fill on a phone. */
export function TradeCard({ row, figures, tag, action }: TradeCardProps) {
  return (
    <RowCard
      label={`${row.user} ${row.symbol}`}
      head={
        <>
          <span>
            <strong>{row.symbol}</strong> <SideCell row={row} /> <span className="soft">{row.user}</span>
          </span>
          {tag}
        </>
      }
    >
      <CardFigures figures={figures} columns={2} />
      {action}
    </RowCard>
  );
}
