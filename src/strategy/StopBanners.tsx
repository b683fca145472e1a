import { Alert } from 'antd';
import type { ReactNode } from 'react';
import type { AccountStops } from '#contract/account';
import { ACCOUNT_TROUBLE_LABEL } from '#contract/lifecycle';
import type { StrategyKind } from '#contract/strategy';
import { ActionAlert } from '@/components/ActionAlert';
import { DateTime } from '@/components/DateTime';
import { MoneyButton } from '@/components/MoneyButton';
import { PauseBanners } from '@/components/PauseBanners';
import { modeLabel } from '@/services/modeLabel';
import { OutageBanner } from './Outages';
import { useStops } from './useStops';

const actions = () => import('./strategyActions');

interface StopBannersProps {
  kind: StrategyKind;
  /** The one strategy that is spoken of, null where it is still to be made; absent: all of the kind. */
  strategyId?: string | null;
}

/** All that keeps the user's strategies of a kind, or one of them, from opening now, each with the way back; nothing while nothing does. */
export function StopBanners({ kind, strategyId }: StopBannersProps) {
  const { data, mutate } = useStops();
  if (data === undefined) return null;
  const isMeant = (one: { id: string; kind: StrategyKind }) =>
    strategyId === undefined ? one.kind === kind : one.id === strategyId;
  return (
    <>
      <PauseBanners {...data} />
      {strategyId === undefined && <OutageBanner outages={data.outages} />}
      <TroubleBanners troubles={data.troubles} />
      <UnjudgedBanner strategies={data.unjudged.filter(isMeant)} />
      {data.tripped.filter(isMeant).map((one) => (
        <TrippedBanner
          key={one.id}
          {...one}
          onResume={() => void actions().then(({ confirmStartOf }) => confirmStartOf(one, () => void mutate()))}
        />
      ))}
    </>
  );
}

/** That nothing is opened in real accounts, what is wrong with each, and how it goes on. */
export function TroubleBanners({ troubles }: Pick<AccountStops, 'troubles'>) {
  return troubles.map(({ account, what, reason, held, at }) => (
    <Alert
      key={account}
      type="error"
      showIcon
      title={
        <>
          {modeLabel('live')}账户「{account}」{ACCOUNT_TROUBLE_LABEL[what]}
          {reason !== '' && `：${reason}`}（<DateTime value={at} />
          ）。{held}；{what === 'keyRefused' ? '在密钥管理更正后，其策略写明原因启动即恢复。' : '恢复后自动继续。'}
        </>
      }
    />
  ));
}

interface UnjudgedBannerProps {
  strategies: readonly { name: string }[];
  /** Whose they are where they are another's. */
  user?: string;
}

/** That strategies open nothing as a price is missing to judge them by; nothing where there are none. */
export function UnjudgedBanner({ strategies, user }: UnjudgedBannerProps) {
  if (strategies.length === 0) return null;
  const names = strategies.map(({ name }) => `「${name}」`).join('');
  return (
    <Alert
      type="error"
      showIcon
      title={`估值缺失：${user ? `${user} 的` : ''}策略${names}缺少价格，盈亏与限额无法判断。不再开新仓，平仓与止损不因此停止；有了价格自动继续。`}
    />
  );
}

type Tripped = Pick<AccountStops['tripped'][number], 'name' | 'reason' | 'at' | 'single'>;

interface TrippedBannerProps extends Tripped {
  /** Whose it is where it is another's. */
  user?: string;
  /** Lets it go on, in a dialog. */
  onResume?: () => void;
  /** The same in another way. */
  action?: ReactNode;
}

/** That one strategy tripped, with the way back where there is one: one of a single deal is not started again. */
export function TrippedBanner({ name, user, reason, at, single = false, onResume, action }: TrippedBannerProps) {
  const way = user ? '由其主人写明原因恢复。' : '写明原因后启动即恢复。';
  const resume = onResume && (
    <MoneyButton size="small" type="primary" onClick={onResume}>
      去恢复
    </MoneyButton>
  );
  return (
    <ActionAlert
      type="error"
      title={
        <>
          {user && `${user} 的`}策略「{name}」已熔断：{reason}
          {at !== null && (
            <>
              （<DateTime value={at} />）
            </>
          )}
          。它不再开新仓，平仓与止损不因熔断停止；{single ? '只开一笔的策略不能恢复。' : way}
        </>
      }
      action={single ? undefined : (action ?? resume)}
    />
  );
}
