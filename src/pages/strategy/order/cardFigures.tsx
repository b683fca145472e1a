import type { FillRow, OrderRow } from '#contract/order';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { ORDER_TYPE_LABEL } from '@/components/labels';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { venueLabel } from '@/scan/venueLabel';
import { stepped } from '@/strategy/steppedColumns';
import type { CardFigure } from '@/table/RowCard';
import { DealLink, NOT_FILLED } from './tradeColumns';

const exact = (value: string, step: string | null) => <span className="figure">{stepped(value, step)}</span>;

/** What a phone shows of an order. */
export const figuresOfOrder = (row: OrderRow): CardFigure[] => [
  ['时间', <DateTime key="at" value={row.createdAt} precision="second" />],
  ['类型', ORDER_TYPE_LABEL[row.type]],
  ['数量', exact(row.quantity, row.lotSize)],
  [row.type === 'market' ? '保护价' : '限价', exact(row.limitPrice, row.tickSize)],
  ['成交', <Percent key="filled" value={row.filled} digits={0} />],
  ['成交额', <Amount key="notional" value={Number(row.filledNotional)} unit="USDT" />],
  ['滑点', <Amount key="slippage" value={row.slippageBps} signed digits={1} unit="bps" reason={NOT_FILLED} />],
  ['账户', `${row.account} · ${venueLabel(row.source)}`],
  ['策略', row.strategy ?? '-'],
  ['交易单', <DealLink key="deal" row={row} />],
  ...(row.reason === null ? [] : [['拒绝原因', row.reason] as const]),
];

/** What a phone shows of a fill. */
export const figuresOfFill = (row: FillRow): CardFigure[] => [
  ['时间', <DateTime key="at" value={row.at} precision="second" />],
  ['成交价', exact(row.price, row.tickSize)],
  ['数量', exact(row.quantity, row.lotSize)],
  ['成交额', <Amount key="notional" value={Number(row.notional)} unit="USDT" />],
  ['手续费', <Amount key="fee" value={Number(row.fee)} unit="USDT" />],
  ['已实现', <Pnl key="realised" value={Number(row.realised)} unit="USDT" />],
  ['成交角色', row.maker ? '挂单' : '吃单'],
  ['滑点', <Amount key="slippage" value={row.slippageBps} signed digits={1} unit="bps" />],
  ['账户', `${row.account} · ${venueLabel(row.source)}`],
  ['策略', row.strategy ?? '-'],
  ['交易单', <DealLink key="deal" row={row} />],
];
