import { Alert, Skeleton } from 'antd';
import { REFUSALS } from '#contract/codes';
import { type CloseQuote, hedge } from '#contract/hedge';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { LEG_LABEL, ORDER_SIDE_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { useCall } from '@/services/useCall';
import styles from './CloseQuotation.module.css';

const REFRESH_MS = 3_000;
const ENDED = REFUSALS.hedgeEnded.code;
const NO_BOOK = '没有可用的盘口价格';

/** Money that the closing orders bring in (sold) less what they take (bought); null without a price. */
function proceedsOf({ legs }: CloseQuote): number | null {
  let sum = 0;
  for (const { side, price, quantity } of legs) {
    if (price === null) return null;
    sum += (side === 'sell' ? 1 : -1) * price * Math.abs(Number(quantity));
  }
  return sum;
}

/** What closing a hedge now would cost and bring, read again while it is looked at. */
export function CloseQuotation({ id }: { id: string }) {
  const { data, error } = useCall(
    hedge.quote,
    { query: { id } },
    // That it has ended is no failure: often it was closed from this very dialog.
    { refreshInterval: REFRESH_MS, quiet: ({ code }) => code === ENDED },
  );
  if (error?.code === ENDED) return <Alert type="info" showIcon title="这张对冲单刚刚结束，没有要平的了" />;
  if (data === undefined && error) {
    return <Alert type="warning" showIcon title={`没有报价：${error.message}。仍可平仓，成交价以盘口为准。`} />;
  }
  if (data === undefined) return <Skeleton active title={false} />;
  const totals = [
    ['预计收支', <Pnl key="proceeds" value={proceedsOf(data)} unit="USDT" reason={NO_BOOK} />],
    ['预计手续费与滑点', <Amount key="cost" value={data.cost} unit="USDT" reason={NO_BOOK} />],
    ['平仓后净盈亏', <Pnl key="net" value={data.net} unit="USDT" reason={NO_BOOK} />],
  ] as const;
  return (
    <div className={styles.quote}>
      <p>按市价平掉两边；两边都核实为零才算已平仓。</p>
      {data.legs.map(({ leg, symbol, side, quantity, mid, price, slippage, fee }) => (
        <div key={leg} className={styles.quoteLeg}>
          <strong>
            {LEG_LABEL[leg]} {symbol}
          </strong>
          <span>
            {ORDER_SIDE_LABEL[side]} <span className="figure">{quantity.replace('-', '')}</span>，均价{' '}
            <Price value={price} unit="USDT" reason={NO_BOOK} />
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
