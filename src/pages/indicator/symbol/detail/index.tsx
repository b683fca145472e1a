import { useLocation } from '@umijs/max';
import { Card, Skeleton } from 'antd';
import * as REFUSALS from '#contract/codes';
import { symbol as api, type SymbolDetail } from '#contract/symbol';
import { ErrorState } from '@/components/ErrorState';
import { useNarrow } from '@/components/useNarrow';
import { useCall } from '@/services/useCall';
import { CandlePanel } from './CandlePanel';
import { DetailHeader } from './DetailHeader';
import { DetailTabs } from './DetailTabs';
import { HeaderFigures } from './HeaderFigures';
import styles from './index.module.css';
import { symbolOf } from './symbolAddress';
import { UnknownSymbol } from './UnknownSymbol';
import { useCandleColumns } from './useCandleColumns';
import { barIn, useDetailState } from './useDetailState';
import { useOwn } from './useOwn';

const REFRESH_MS = 5000;
const UNKNOWN: readonly (number | string)[] = [REFUSALS.unknownSymbol.code, REFUSALS.unknownSource.code];

/** 币种详情: everything about one coin of one source. */
export default function SymbolDetailPage() {
  const symbol = symbolOf(useLocation().pathname);
  const [{ source }] = useDetailState();
  return <Coin key={`${source} ${symbol}`} source={source} symbol={symbol} />;
}

function Coin({ source, symbol }: Pick<SymbolDetail, 'source' | 'symbol'>) {
  const [state, setState] = useDetailState();
  const narrow = useNarrow();
  const { data, error, updatedAt, isLoading, retry } = useCall(
    api.detail,
    { query: { source, symbol } },
    { refreshInterval: REFRESH_MS },
  );
  const { compare, from } = state;
  // Asked for beside the detail, which knows the bars: what it has not is found out then.
  const bar = data === undefined ? state.bar : state.bar && barIn(data.chartBars, state.bar);
  const candles = useCandleColumns({ source, symbol, bar, compare, from });
  const own = useOwn(source, symbol, candles.data, state);
  const choose = (other: string) => setState({ source: other, compare: '', bar: null, from: null, to: null });

  if (data === undefined && error && UNKNOWN.includes(error.code)) {
    return <UnknownSymbol symbol={symbol} source={source} message={error.message} onSource={choose} />;
  }
  if (data === undefined && error)
    return <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />;
  if (data === undefined) {
    return (
      <Card size="small" aria-busy aria-label="正在加载">
        <Skeleton active paragraph={{ rows: 14 }} />
      </Card>
    );
  }
  const figures = <HeaderFigures detail={data} />;
  return (
    <div className={styles.page}>
      <DetailHeader detail={data} updatedAt={updatedAt} late={error !== undefined} onSource={choose}>
        {narrow ? null : figures}
      </DetailHeader>
      <CandlePanel detail={data} candles={candles} own={own} />
      {narrow && (
        <Card size="small">
          <details>
            <summary>行情、资金费与合约</summary>
            {figures}
          </details>
        </Card>
      )}
      <DetailTabs detail={data} own={own} />
    </div>
  );
}
