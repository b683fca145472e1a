import { Alert, Skeleton, Tag } from 'antd';
import { backtest, type HedgeBacktest } from '#contract/backtest';
import { formatDateTime } from '@/components/DateTime';
import { ErrorState } from '@/components/ErrorState';
import { formatNumber } from '@/components/formatNumber';
import { NOT_COMPARED_LABEL, NOT_COMPARED_TAG } from '@/components/labels';
import { useCall } from '@/services/useCall';
import styles from '../index.module.css';
import { BacktestLines } from './BacktestLines';

/** A hedge that runs moves on; its backtest does so with each bar. */
const REFRESH_MS = 60_000;

const amount = (value: number) => formatNumber(value, { digits: 2 });
const bps = (rate: number) => `${formatNumber(rate * 1e4, { digits: 2 })} bps`;

/** A hedge beside its backtest: same notional, leverage, period and costs, in one table. */
export default function BacktestTab({ id }: { id: string }) {
  const { data, error, isLoading, retry } = useCall(
    backtest.ofHedge,
    { query: { id } },
    { refreshInterval: REFRESH_MS, keepPreviousData: true },
  );
  if (data === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />;
    return <Skeleton active paragraph={{ rows: 8 }} />;
  }
  return (
    <div className={styles.stack}>
      <Inputs data={data} />
      <BacktestLines data={data} />
    </div>
  );
}

function Inputs({ data: { inputs, why, running } }: { data: HedgeBacktest }) {
  if (why !== null || inputs === null) {
    const words = why ?? 'tooShort';
    return (
      <Alert
        type="warning"
        showIcon
        title={
          <>
            <Tag>{NOT_COMPARED_TAG[words]}</Tag> {NOT_COMPARED_LABEL[words]}：没有可比的回测，不计入差额统计。
          </>
        }
      />
    );
  }
  const { bar, start, end, longNotional, shortNotional, leverage, fee, slippage, fundingMissing, liquidated } = inputs;
  return (
    <>
      <p className="soft">
        同名义（多 {amount(longNotional)} / 空 {amount(shortNotional)} USDT）、同杠杆（{leverage} 倍）、同期间（
        {formatDateTime(start)} 至 {formatDateTime(end)}，{bar} K 线收盘）、同费率（手续费 {bps(fee)}，滑点{' '}
        {bps(slippage)}），不再平衡。{running && '仍在进行：回测按末个收盘估值，不计平仓成本。'}
      </p>
      {fundingMissing > 0 && (
        <Alert type="warning" showIcon title={`回测缺 ${fundingMissing} 次资金费结算，少计的部分在「资金费」一行`} />
      )}
      {liquidated && <Alert type="error" showIcon title="回测在中途爆仓，止于当时的收盘" />}
    </>
  );
}
