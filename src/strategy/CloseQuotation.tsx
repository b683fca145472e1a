import { Alert, Skeleton } from 'antd';
import { venueName } from '#contract/candle';
import type { CloseQuote } from '#contract/closeQuote';
import { REFUSALS } from '#contract/codes';
import { hedge } from '#contract/kinds/hedge/desk';
import { strategies } from '#contract/strategies';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { LEG_LABEL, ORDER_SIDE_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import { type CallState, useCall } from '@/services/useCall';
import styles from './CloseQuotation.module.css';

const REFRESH_MS = 3_000;
const ENDED: readonly unknown[] = [REFUSALS.hedgeEnded.code, REFUSALS.dealEnded.code];
const NO_BOOK = '没有可用的盘口价格';

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

interface CloseQuotationProps {
  quote: CallState<CloseQuote>;
  /** What is closed. */
  kind: '对冲单' | '交易单';
  /** How it is closed. */
  how: string;
}

export function CloseQuotation({ quote: { data, error }, kind, how }: CloseQuotationProps) {
  if (error && ENDED.includes(error.code)) {
    return <Alert type="info" showIcon title={`这张${kind}刚刚结束，没有要平的了`} />;
  }
  const said = <p>{how}</p>;
  if (data === undefined) {
    return (
      <div className={styles.quote}>
        {said}
        {error ? (
          <Alert type="warning" showIcon title={`没有报价：${error.message}。仍可平仓，成交价以盘口为准。`} />
        ) : (
          <Skeleton active title={false} />
        )}
      </div>
    );
  }
  const isAcross = new Set(data.legs.map(({ source }) => source)).size > 1;
  const totals = [
    ['本次实现盈亏', <Pnl key="realised" value={data.realised} unit="USDT" reason={NO_BOOK} />],
    ['预计手续费与滑点', <Amount key="cost" value={data.cost} unit="USDT" reason={NO_BOOK} />],
    ['平仓后净盈亏', <Pnl key="net" value={data.net} unit="USDT" reason={NO_BOOK} />],
  ] as const;
  return (
    <div className={styles.quote}>
      {said}
      {data.legs.length === 0 && data.refusal === null && <p>还没有成交，没有要平的持仓。</p>}
      {data.legs.map(({ leg, source, symbol, side, quantity, left, mid, price, slippage, fee }) => (
        <div key={leg} className={styles.quoteLeg}>
          <strong>
            {LEG_LABEL[leg]} {symbol}
            {isAcross && ` · ${venueName(source)}`}
          </strong>
          <span>
            {ORDER_SIDE_LABEL[side]} <Quantity value={Math.abs(Number(quantity))} most={8} />
            ，均价 <Price value={price} unit="USDT" reason={NO_BOOK} />
            {Number(left) !== 0 && (
              <>
                ，剩 <Quantity value={Number(left)} most={8} />
              </>
            )}
          </span>
          <span className="soft">
            中间价 <Price value={mid} reason={NO_BOOK} />
            ，滑点 <Amount value={slippage} unit="USDT" reason={NO_BOOK} />
            ，手续费 <Amount value={fee} unit="USDT" reason={NO_BOOK} />
          </span>
        </div>
      ))}
      <dl className={styles.quoteTotals}>
        {totals.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <span className="soft">
        价格时间 <DateTime value={data.priceAt} precision="second" reason={NO_BOOK} />
        {error && `，报价停滞：${error.message}`}
      </span>
    </div>
  );
}
