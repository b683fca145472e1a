import { Button } from 'antd';
import type { HedgeDesk } from '#contract/kinds/hedge/config';
import { ActionAlert } from '@/components/ActionAlert';
import { Amount } from '@/components/Amount';
import { clockWordsOf } from '@/components/clockWords';
import { LimitWays, PauseBanners, PausedSince } from '@/components/PauseBanners';
import { Pnl } from '@/components/Pnl';
import { OutageBanner } from '@/strategy/Outages';
import { TrippedBanner, UnjudgedBanner } from '@/strategy/StopBanners';
import { UnguardedBanner } from '@/strategy/UnguardedBanner';
import { useStops } from '@/strategy/useStops';
import { confirmResume, confirmUntrip } from './hedgeActions';

/** That nobody looks after what is held, and why nothing new is opened, from the strongest reason down. */
export default function DeskBanners({ desk, refresh }: { desk: HedgeDesk; refresh: () => void }) {
  const { paused, pausedForAll, unvalued, lossLimitHit, day, dayPnl, accountLimit, tripped, trippedAt } = desk;
  const limit = { dailyLossLimit: accountLimit, unvalued };
  const { data: stops } = useStops();
  const resume = () => confirmResume(lossLimitHit, refresh);
  return (
    <>
      <UnguardedBanner kind="hedge" done={refresh} />
      <PauseBanners {...limit} paused={lossLimitHit ? null : paused} pausedForAll={pausedForAll} onResume={resume} />
      {stops && <OutageBanner outages={stops.outages} />}
      {lossLimitHit && (
        <ActionAlert
          type="error"
          title={
            <>
              模拟账户已达单日最大亏损 <Amount value={accountLimit} unit="USDT" />
              ，今日（自 {clockWordsOf(day.start)}）盈亏 <Pnl value={dayPnl} unit="USDT" />
              ：模拟策略都不再开新仓，平仓与止损不因此停止。{paused && <PausedSince pause={paused} />}
              写明原因恢复后今日不再按它暂停；也可以在账户总览提高上限并选择恢复。
            </>
          }
          action={<LimitWays onResume={resume} />}
        />
      )}
      <UnjudgedBanner strategies={stops?.unjudged.filter(({ kind }) => kind === 'hedge') ?? []} />
      {tripped !== null && (
        <TrippedBanner
          name="多空对冲"
          reason={tripped}
          at={trippedAt}
          action={
            <Button size="small" type="primary" onClick={() => confirmUntrip(tripped, refresh)}>
              恢复
            </Button>
          }
        />
      )}
    </>
  );
}
