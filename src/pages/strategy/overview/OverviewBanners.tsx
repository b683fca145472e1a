import { Alert, Button } from 'antd';
import { account } from '#contract/account';
import type { OverviewRow } from '#contract/strategyOverview';
import { PauseBanners } from '@/components/PauseBanners';
import { useCall } from '@/services/useCall';
import { TrippedBanner } from '@/strategy/StopBanners';
import { confirmStart } from '@/strategy/strategyActions';
import styles from './overview.module.css';

const LOOK_MS = 5_000;

/** Users of whom nothing is opened because their accounts cannot be valued; one's own account says it with what is missing. */
const unvaluedIn = (rows: readonly OverviewRow[]): string[] => [
  ...new Set(rows.flatMap(({ own, heldBack, user }) => (!own && heldBack === 'unvalued' ? [user] : []))),
];

interface OverviewBannersProps {
  rows: readonly OverviewRow[];
  done: () => void;
}

/** What keeps the caller's account, a user's, or one strategy of anybody from opening, each with the way back. */
export function OverviewBanners({ rows, done }: OverviewBannersProps) {
  const { data } = useCall(account.stops, {}, { refreshInterval: LOOK_MS });
  return (
    <div className={styles.banners}>
      {data && <PauseBanners {...data} />}
      {unvaluedIn(rows).map((user) => (
        <Alert
          key={user}
          type="error"
          showIcon
          title={`${user} 的账户估值缺失：有持仓没有价格，他的策略都不开新仓，持有的照常看护。有了价格自动继续。`}
        />
      ))}
      {rows
        .filter((row) => row.tripped !== null)
        .map((row) => (
          <TrippedBanner
            key={row.id}
            name={row.name}
            reason={row.tripped ?? ''}
            at={row.trippedAt}
            {...(row.own
              ? {
                  action: (
                    <Button size="small" type="primary" onClick={() => confirmStart(row, done)}>
                      去恢复
                    </Button>
                  ),
                }
              : { user: row.user })}
          />
        ))}
    </div>
  );
}
