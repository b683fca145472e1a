import { Alert, Skeleton } from 'antd';
import type { CloseQuote } from '#contract/closeQuote';
import * as REFUSALS from '#contract/codes';
import { hedge } from '#contract/kinds/hedge/desk';
import { LEG_LABEL } from '#contract/lifecycle';
import { strategies } from '#contract/strategies';
import { DateTime } from '@/components/DateTime';
import { decimalsIn, formatNumber } from '@/components/formatNumber';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import { type CallState, useCall } from '@/services/useCall';
import { type LegCardProps, LegCards } from './LegCard';
import styles from './strategy.module.css';

const REFRESH_MS = 3_000;
const ENDED: readonly unknown[] = [REFUSALS.hedgeEnded.code, REFUSALS.dealEnded.code];
const NO_BOOK = '没有可用的盘口价格';
const TOO_LITTLE = '不足一笔最小委托，不下单';

/** What closing all or a part of a deal now would cost and bring, read again while it is looked at; what was asked for before stays until then. */
export const useCloseQuote = (
  kind: '对冲单' | '交易单',
  query: { id: string; percent: number; maker: boolean },
): CallState<CloseQuote> =>
  useCall(
    kind === '对冲单' ? hedge.quote : strategies.closeQuote,
    { query },
    // That it has ended is no failure: often it was closed from this very dialog.
    { refreshInterval: REFRESH_MS, keepPreviousData: true, quiet: ({ code }) => ENDED.includes(code) },
  );

/** Whether what was to be closed has ended meanwhile. */
export const isOver = ({ error }: CallState<CloseQuote>): boolean => error !== undefined && ENDED.includes(error.code);

/** What of coin is too little to be sold when all is closed, with what it is worth, in words. */
const stayingOf = ({ percent, legs }: Pick<CloseQuote, 'percent' | 'legs'>): string[] =>
  legs.flatMap(({ symbol, left, mid }) => {
    const quantity = Number(left);
    if (percent < 100 || quantity === 0) return [];
    const worth = mid === null ? '' : `（约 ${formatNumber(quantity * mid, { digits: 2, money: true })} USDT）`;
    return [`${symbol} 余 ${formatNumber(quantity, { digits: decimalsIn(quantity) })}${worth}`];
  });

/** What of it somebody has traded away at the exchange: to close that too would open the other side. */
const goneOf = ({ legs }: Pick<CloseQuote, 'legs'>): string[] =>
  legs.flatMap(({ symbol, quantity, gone }) =>
    gone === undefined
      ? []
      : [`账户里 ${symbol} 只剩 ${quantity} 可平：${gone} 已被账户上的外部成交抵掉，不再下单，从交易单核销`],
  );

/** The same to be added to what is told of a closing that was asked for; empty where nothing stays. */
export const stayingWords = (quote: Pick<CloseQuote, 'percent' | 'legs'> | undefined): string =>
  (quote ? stayingOf(quote) : []).map((what) => `；${what}不足一笔最小委托，留在账户`).join('');

interface CloseQuotationProps {
  quote: CallState<CloseQuote>;
  /** What is closed. */
  kind: '对冲单' | '交易单';
  /** How it is closed. */
  how: string;
}

export function CloseQuotation({ quote: { data, error }, kind, how }: CloseQuotationProps) {
  const said = <p>{how}</p>;
  if (data === undefined) {
    return (
      <div className={styles.ticket}>
        {said}
        {error ? (
          <Alert type="warning" showIcon title={`没有报价：${error.message}。仍可平仓，成交价以盘口为准。`} />
        ) : (
          <Skeleton active title={false} />
        )}
      </div>
    );
  }
  // Why is said above it.
  if (data.legs.length === 0 && data.refusal !== null) return <div className={styles.ticket}>{said}</div>;
  const reasons = [...new Set(data.legs.flatMap(({ unpriced }) => unpriced ?? []))];
  const noBook = reasons.join('；') || NO_BOOK;
  const staying = stayingOf(data);
  const name = data.percent < 100 ? '平后剩' : '留在账户';
  const legs = data.legs.map(({ left, mid, unpriced, ...order }): LegCardProps => {
    const size = Math.abs(Number(order.quantity));
    const notional = size === 0 ? 0 : order.price === null ? null : size * order.price;
    return {
      order: { ...order, quantity: String(size), notional },
      tag: `平${LEG_LABEL[order.leg]}`,
      rests: data.maker,
      reason: unpriced ?? (size === 0 ? TOO_LITTLE : NO_BOOK),
      ofQuantity: Number(left) === 0 ? [] : [{ label: name, figure: <Quantity value={Number(left)} /> }],
      ofPrice: [{ label: '中间价', figure: <Price value={mid} unit="USDT" reason={unpriced ?? NO_BOOK} /> }],
    };
  });
  const totals = [
    { label: '本次实现盈亏', figure: <Pnl value={data.realised} unit="USDT" reason={noBook} /> },
    { label: '平仓后净盈亏', figure: <Pnl value={data.net} unit="USDT" reason={noBook} /> },
  ];
  return (
    <div className={styles.ticket}>
      {said}
      {data.legs.length === 0 && <p>没有要平的持仓，只撤挂单。</p>}
      {[...reasons, ...goneOf(data)].map((why) => (
        <Alert key={why} type="warning" showIcon title={why} />
      ))}
      {staying.map((what) => (
        <Alert
          key={what}
          type="info"
          showIcon
          title={`${what}不足一笔最小委托，卖不掉：从这张${kind}核销，转为账户持仓，不再由它管理`}
        />
      ))}
      <LegCards legs={legs} reason={noBook} more={totals} />
      <span className="soft">
        价格时间 <DateTime value={data.priceAt} precision="second" reason={noBook} />
        {error && `，报价停滞：${error.message}`}
      </span>
    </div>
  );
}
