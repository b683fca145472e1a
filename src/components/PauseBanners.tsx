import { Link } from '@umijs/max';
import { Alert, Button } from 'antd';
import { type ReactNode, use } from 'react';
import { type AccountStops, LOSS_GUARD } from '#contract/account';
import type { Pause } from '#contract/pause';
import type { StrategyMode } from '#contract/strategy';
import { modeLabel } from '@/services/modeLabel';
import { ActionAlert } from './ActionAlert';
import { Amount } from './Amount';
import { DateTime } from './DateTime';
import { InDialog } from './openDialog';

/** Since when, by whom and why. */
export const PausedSince = ({ pause: { at, by, reason } }: { pause: Pause }) => (
  <>
    自 <DateTime value={at} /> 由 {by} 暂停{reason === '' ? '' : `，原因：${reason}`}。
  </>
);

// Another stop may keep what is held from being closed: each says what it does itself.
const GUARDED = '所有策略都不开新仓，平仓与止损不因此停止。';
const guardedIn = (mode: StrategyMode) => `${modeLabel(mode)}策略都不开新仓，平仓与止损不因此停止。`;

/** That what the accounts of one kind of money are worth is unknown; nothing where it is known. */
const Unvalued = ({ mode, symbols }: { mode: StrategyMode; symbols: string | null }) =>
  symbols !== null && (
    <Alert
      type="error"
      showIcon
      title={`估值缺失：${symbols} 没有价格，${modeLabel(mode)}账户权益未知，限额无法判断。${guardedIn(mode)}有了价格自动继续。`}
    />
  );

interface WayProps {
  /** The screen where it is done. */
  to: string;
  /** Does it where one stands on that screen. */
  act?: (() => void) | undefined;
  children: ReactNode;
}

function Way({ to, act, children }: WayProps) {
  const inDialog = use(InDialog);
  if (act) {
    return (
      <Button size="small" onClick={act}>
        {children}
      </Button>
    );
  }
  if (inDialog) {
    return (
      <Button size="small" href={to} target="_blank">
        {children}
      </Button>
    );
  }
  return (
    <Link to={to}>
      <Button size="small">{children}</Button>
    </Link>
  );
}

export interface WaysBackProps {
  /** Asks to resume, on the screen that does. */
  onResume?: () => void;
  /** Asks for another limit of the account, on the screen that does. */
  onLimit?: () => void;
}

export const ResumeWay = ({ onResume }: Pick<WaysBackProps, 'onResume'>) => (
  <Way to="/strategy/hedge" act={onResume}>
    去恢复
  </Way>
);

/** How an account goes on that has reached its limit. */
export const LimitWays = ({ onResume, onLimit }: WaysBackProps) => (
  <>
    <ResumeWay {...(onResume && { onResume })} />{' '}
    <Way to="/" act={onLimit}>
      改上限
    </Way>
  </>
);

type PauseBannersProps = Pick<AccountStops, 'paused' | 'pausedForAll' | 'dailyLossLimit' | 'unvalued'> &
  Partial<Pick<AccountStops, 'unvaluedLive'>> &
  WaysBackProps;

/** That nothing new is opened, for everybody or for the user, on paper or for real, why, and how to go on. */
export function PauseBanners({ paused, pausedForAll, dailyLossLimit, ...rest }: PauseBannersProps) {
  const { unvalued, unvaluedLive = null, ...ways } = rest;
  const isLimit = paused?.by === LOSS_GUARD;
  return (
    <>
      {pausedForAll && (
        <Alert
          type="error"
          showIcon
          title={
            <>
              管理员已暂停所有用户开仓：
              <PausedSince pause={pausedForAll} />
              {GUARDED}由管理员恢复。
            </>
          }
        />
      )}
      {paused && isLimit && (
        <ActionAlert
          type="error"
          title={
            <>
              模拟账户已达单日最大亏损 <Amount value={dailyLossLimit} unit="USDT" reason="上限已取消" />：
              <PausedSince pause={paused} />
              {guardedIn('paper')}写明原因恢复后今日不再按它暂停，或提高上限并选择恢复。
            </>
          }
          action={<LimitWays {...ways} />}
        />
      )}
      {paused && !isLimit && (
        <ActionAlert
          type="warning"
          title={
            <>
              已暂停开仓：
              <PausedSince pause={paused} />
              {GUARDED}
            </>
          }
          action={<ResumeWay {...ways} />}
        />
      )}
      <Unvalued mode="paper" symbols={unvalued} />
      <Unvalued mode="live" symbols={unvaluedLive} />
    </>
  );
}
