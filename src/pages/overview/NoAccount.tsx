import { Link } from '@umijs/max';
import { Button } from 'antd';
import { PAPER_CAPITAL } from '#contract/hedgeConfig';
import { EmptyState } from '@/components/EmptyState';
import { formatNumber } from '@/components/formatNumber';
import { BinanceId } from './BinanceId';
import styles from './index.module.css';

/** Nothing was traded yet, and there is no account: what one is and how to get it. */
export function NoAccount() {
  return (
    <div className={styles.page}>
      <EmptyState
        title="还没有账户"
        description={
          <>
            在「多空对冲」保存第一份配置时，会为你开立一个模拟账户，本金 {formatNumber(PAPER_CAPITAL, { digits: 0 })}{' '}
            USDT。
            <br />
            之后这里显示权益、盈亏、风险、资金费与持仓。
          </>
        }
      >
        <Link to="/strategy/hedge">
          <Button type="primary">前往多空对冲</Button>
        </Link>
      </EmptyState>
      <BinanceId />
    </div>
  );
}
