import { useLocation } from '@umijs/max';
import { Card, Skeleton } from 'antd';
import { REFUSALS } from '#contract/codes';
import { symbol as api } from '#contract/symbol';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import { CandlePanel } from './CandlePanel';
import { DetailHeader } from './DetailHeader';
import { DetailTabs } from './DetailTabs';
import styles from './index.module.css';
import { symbolOf } from './symbolAddress';
import { UnknownSymbol } from './UnknownSymbol';
import { useDetailState } from './useDetailState';

const REFRESH_MS = 5000;
const UNKNOWN: readonly (number | string)[] = [REFUSALS.unknownSymbol.code, REFUSALS.unknownSource.code];

/** 币种详情: everything about one coin of one source. */
export default function SymbolDetailPage() {
  const { pathname } = useLocation();
  const symbol = symbolOf(pathname);
  const [{ source }, setState] = useDetailState();
  const { data, error, updatedAt, isLoading, retry } = useCall(
    api.detail,
    { query: { source, symbol } },
    { refreshInterval: REFRESH_MS },
  );
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
  return (
    <div className={styles.page}>
      <DetailHeader detail={data} updatedAt={updatedAt} late={error !== undefined} onSource={choose} />
      <CandlePanel key={`${source} ${symbol}`} detail={data} />
      <DetailTabs key={`tabs ${source} ${symbol}`} detail={data} />
    </div>
  );
}
