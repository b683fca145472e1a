import { PAPER_CAPITAL } from '#contract/kinds/hedge/config';
import { EmptyState } from '@/components/EmptyState';
import { formatNumber } from '@/components/formatNumber';

/** The first moments of an account: its money is not booked yet, or the demo is still making the account's past. */
export const NoAccount = () => (
  <EmptyState
    title="账户正在开立"
    description={
      <>
        模拟账户的本金为 {formatNumber(PAPER_CAPITAL, { digits: 0 })}{' '}
        USDT，入账后这里显示权益、盈亏、风险、资金费与持仓，不需要刷新。
        <br />
        演示账户要等过去 60 天的交易生成出来，大约一分钟。
      </>
    }
  />
);
