import { Alert, Skeleton } from 'antd';
import { spreadDesk } from '#contract/kinds/spread/desk';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import { ObstacleTags } from '@/scan/ObstacleTags';
import { useCall } from '@/services/useCall';
import { FigureList } from '@/strategy/FigureList';
import styles from '@/strategy/strategy.module.css';

const REFRESH_MS = 3_000;
const NO_BOOK = '盘口装不下这个数量';

/** What letting the far leg of a deal go on in the next expiry would cost now, read again while it is looked at. */
export function RollQuotation({ id }: { id: string }) {
  const { data, error } = useCall(spreadDesk.rollQuote, { query: { id } }, { refreshInterval: REFRESH_MS });
  if (data === undefined && error) return <Alert type="warning" showIcon title={error.message} />;
  if (data === undefined) return <Skeleton active title={false} />;
  const { from, to, expiresAt, quantity, closePrice, openPrice, gap, fees, slippage, cost, netApr, obstacles } = data;
  const figures = [
    ['数量（每腿）', <Amount key="quantity" value={quantity} digits={4} />],
    [`平 ${from}`, <Price key="close" value={closePrice} unit="USDT" reason={NO_BOOK} />],
    [`开 ${to}`, <Price key="open" value={openPrice} unit="USDT" reason={NO_BOOK} />],
    ['移仓价差', <Percent key="gap" value={gap} digits={3} signed reason={NO_BOOK} />],
    ['两笔手续费', <Amount key="fees" value={fees} unit="USDT" reason={NO_BOOK} />],
    ['两笔滑点', <Amount key="slippage" value={slippage} unit="USDT" reason={NO_BOOK} />],
    ['移仓成本', <Amount key="cost" value={cost} unit="USDT" reason={NO_BOOK} />],
    ['新的净年化', <Percent key="apr" value={netApr} signed reason={NO_BOOK} />],
  ] as const;
  return (
    <div className={styles.preview}>
      <p>
        先开下一到期的远腿，成交后接过近腿（不买卖），再平掉现在的远腿。新的远腿没有成交时原交易单不变；其间多占一腿保证金。
      </p>
      <FigureList label="移仓报价" figures={figures.map(([label, figure]) => ({ label, figure }))} />
      <span className="soft">
        下一到期 <DateTime value={expiresAt} /> <ObstacleTags obstacles={obstacles} />
      </span>
    </div>
  );
}
