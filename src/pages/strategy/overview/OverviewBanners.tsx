import { Button } from 'antd';
import type { OverviewRow } from '#contract/strategyOverview';
import { PauseBanners } from '@/components/PauseBanners';
import { TrippedBanner, UnjudgedBanner } from '@/strategy/StopBanners';
import { confirmStart } from '@/strategy/strategyActions';
import { useStops } from '@/strategy/useStops';
import styles from './overview.module.css';

/** Others' strategies that open nothing because what they or their accounts are worth is unknown, by user; one's own are told with what is missing. */
function unvaluedIn(rows: readonly OverviewRow[]): [user: string, strategies: OverviewRow[]][] {
  const found = rows.filter(({ own, heldBack, state }) => !own && heldBack === 'unvalued' && state === 'running');
  return [...new Set(found.map(({ user }) => user))].map((user) => [user, found.filter((row) => row.user === user)]);
}

interface OverviewBannersProps {
  rows: readonly OverviewRow[];
  done: () => void;
}

/** What keeps the caller's account, a user's, or one strategy of anybody from opening, each with the way back. */
export function OverviewBanners({ rows, done }: OverviewBannersProps) {
  const { data } = useStops();
  return (
    <div className={styles.banners}>
      {data && <PauseBanners {...data} />}
      {data && <UnjudgedBanner strategies={data.unjudged} />}
      {unvaluedIn(rows).map(([user, strategies]) => (
        <UnjudgedBanner key={user} user={user} strategies={strategies} />
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
