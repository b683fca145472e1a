import { Link } from '@umijs/max';
import { Alert, Button } from 'antd';
import type { ReactNode } from 'react';
import { type AccountStops, account } from '#contract/account';
import type { StrategyKind } from '#contract/strategy';
import { useCall } from '@/services/useCall';
import { DateTime } from './DateTime';
import { PauseBanners } from './PauseBanners';

const LOOK_MS = 5_000;

interface StopBannersProps {
  /** Of which kind tripped strategies are told; all without one. */
  kind?: StrategyKind;
}

/** All that keeps the user's strategies from opening now, each with the way back; nothing while nothing does. */
export function StopBanners({ kind }: StopBannersProps) {
  const { data } = useCall(account.stops, {}, { refreshInterval: LOOK_MS });
  if (data === undefined) return null;
  const { tripped } = data;
  return (
    <>
      <PauseBanners {...data} />
      {tripped
        .filter((one) => kind === undefined || one.kind === kind)
        .map((one) => (
          <TrippedBanner key={one.id} {...one} />
        ))}
    </>
  );
}

type Tripped = AccountStops['tripped'][number];

/** That one strategy tripped. @param action in place of the link to its screen */
export function TrippedBanner({
  name,
  kind,
  reason,
  at,
  action,
}: Pick<Tripped, 'name' | 'kind' | 'reason' | 'at'> & { action?: ReactNode }) {
  return (
    <Alert
      type="error"
      showIcon
      title={
        <>
          策略「{name}」已熔断：{reason}
          {at !== null && (
            <>
              （<DateTime value={at} />）
            </>
          )}
          。它不再开新仓，持有的照常看护；写明原因后启动即恢复。
        </>
      }
      action={
        action ?? (
          <Link to={`/strategy/${kind}`}>
            <Button size="small">去恢复</Button>
          </Link>
        )
      }
    />
  );
}
