import { Link } from '@umijs/max';
import { Alert, Button, Tag } from 'antd';
import type { ReactNode } from 'react';
import type { AccountState } from '#contract/account';
import { LiveStatus } from '@/components/LiveStatus';
import { PauseBanners } from '@/components/PauseBanners';
import styles from './index.module.css';
import { useLossLimit } from './LossLimit';

interface AccountHeadProps {
  account: AccountState;
  updatedAt: number | undefined;
  refresh: () => void;
  /** What chooses among several accounts. */
  children: ReactNode;
}

/** Whether new hedges are opened, how old the figures are, and what keeps figures from being there. */
export function AccountHead({ account, updatedAt, refresh, children }: AccountHeadProps) {
  const { enabled, paused, pausedForAll, unvalued, dailyLossLimit, running, venue, unanswered, unpriced } = account;
  const which = unanswered.length === 0 ? '' : `（${unanswered.join('、')}）`;
  const limit = useLossLimit({ account, onSaved: refresh });
  const blocked = paused !== null || pausedForAll !== null;
  const opening = blocked ? '已暂停开仓' : enabled ? '对冲启用中' : '对冲已停用';
  return (
    <>
      <div className={styles.head}>
        <span className={styles.state}>
          <Tag>模拟账户</Tag>
          <Tag color={blocked ? 'warning' : enabled ? 'success' : 'default'}>{opening}</Tag>
          <span>进行中 {running} 单</span>
        </span>
        {children}
        <LiveStatus polledAt={updatedAt} />
        <Link to="/strategy/hedge">
          <Button>{blocked ? '前往恢复开仓' : '暂停开仓 / 全部平仓'}</Button>
        </Link>
      </div>
      <PauseBanners {...{ paused, pausedForAll, unvalued, dailyLossLimit }} onLimit={limit.edit} />
      {limit.dialog}
      {venue === 'failed' && (
        <Alert
          type="error"
          showIcon
          title={`交易场所读取失败${which}：持仓、保证金与风险未知，并不表示空仓。正在重试。`}
        />
      )}
      {unpriced.length > 0 && (
        <Alert type="warning" showIcon title={`没有价格：${unpriced.join('、')}。权益与盈亏暂时无法计算。`} />
      )}
    </>
  );
}
