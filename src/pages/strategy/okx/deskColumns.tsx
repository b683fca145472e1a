import { Tag } from 'antd';
import { ArbitrageTrade, InventoryMove, InventoryRow } from '#contract/kinds/okx/desk';
import { Amount } from '@/components/Amount';
import { formatDateTime } from '@/components/DateTime';
import { CLOSE_REASON_LABEL, HEDGE_STATE_LABEL } from '@/components/labels';
import { MoneyButton } from '@/components/MoneyButton';
import { venueLabel } from '@/scan/venueLabel';
import { columnsCard } from '@/table/RowCard';
import { type OwnColumn, schemaColumns } from '@/table/schemaColumns';
import { confirmMove } from './okxActions';

const coins = (key: 'quantity' | 'arriving'): OwnColumn<InventoryRow> => ({
  key,
  width: 120,
  figure: true,
  render: (row) => <Amount value={Number(row[key])} digits={4} />,
  csv: (row) => Number(row[key]),
  written: { digits: 4 },
});

/** @param banned coins and venues that are not traded. @param ban asks to trade a coin no more, or again */
export const inventoryColumns = (banned: readonly string[], ban: (coin: string, banned: boolean) => void) =>
  schemaColumns(InventoryRow, {
    widths: { base: 84 },
    own: [
      coins('quantity'),
      coins('arriving'),
      {
        key: 'ban',
        title: '操作',
        width: 84,
        render: ({ base, source }) => {
          const isBanned = banned.includes(base);
          return (
            <MoneyButton
              size="small"
              aria-label={`${isBanned ? '恢复' : '停用'} ${base} ${venueLabel(source)}`}
              onClick={() => ban(base, !isBanned)}
            >
              {isBanned ? '恢复' : '停用'}
            </MoneyButton>
          );
        },
      },
    ],
  });

const MOVE_LABEL = { open: '开放', shut: '暂停' } as const;

/** @param done after a move was asked for */
export const moveColumns = (done: () => void) =>
  schemaColumns(InventoryMove, {
    widths: { base: 84, from: 84, to: 84, quantity: 120, network: 96, feeBps: 96 },
    own: [
      {
        key: 'canMove',
        title: '充提',
        width: 84,
        render: ({ canMove }) =>
          canMove === null ? (
            <span className="missing">-</span>
          ) : (
            <Tag color={canMove === 'open' ? undefined : 'warning'}>{MOVE_LABEL[canMove]}</Tag>
          ),
        csv: ({ canMove }) => canMove && MOVE_LABEL[canMove],
      },
      {
        key: 'move',
        title: '操作',
        width: 84,
        fixed: 'right',
        render: (row) => {
          const isShut = row.canMove !== 'open' || row.fromAccount === null || row.toAccount === null;
          return (
            <MoneyButton
              size="small"
              why={isShut ? '充提暂停，或没有账户' : undefined}
              aria-label={`划转 ${row.base}`}
              onClick={() => confirmMove(row, done)}
            >
              划转
            </MoneyButton>
          );
        },
      },
    ],
  });

const resultOf = ({ state, closeReason }: ArbitrageTrade): string =>
  closeReason === null ? HEDGE_STATE_LABEL[state] : CLOSE_REASON_LABEL[closeReason];

export const TRADE_COLUMNS = schemaColumns(ArbitrageTrade, {
  widths: { symbol: 150, buy: 80, sell: 80, state: 110 },
  deciding: ['at', 'symbol', 'buy', 'sell', 'state', 'net', 'plannedBps', 'realBps'],
  own: [{ key: 'state', render: resultOf, csv: resultOf }],
});

/** Rows on a phone. */
export const tradeCard = columnsCard(TRADE_COLUMNS, {
  label: ({ symbol, at }) => `${symbol} ${formatDateTime(at, 'second')}`,
  head: ['symbol', 'state'],
  end: ['net'],
  across: 3,
  wide: ['at'],
});
export const inventoryCard = (columns: ReturnType<typeof inventoryColumns>) =>
  columnsCard(columns, {
    label: ({ base, source }) => `${base} ${venueLabel(source)}`,
    head: ['base', 'source'],
    end: ['ban'],
  });
export const moveCard = (columns: ReturnType<typeof moveColumns>) =>
  columnsCard(columns, { label: ({ base }) => `划转 ${base}`, head: ['base'], end: ['move'], across: 3 });
