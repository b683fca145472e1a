import { Alert } from 'antd';
import type { HedgeDesk } from '#contract/hedgeConfig';
import { Amount } from '@/components/Amount';
import { clockWordsOf } from '@/components/clockWords';
import { PauseBanners, PausedSince } from '@/components/PauseBanners';
import { Pnl } from '@/components/Pnl';

/** Why nothing new is opened, from the strongest reason down. */
export function DeskBanners({ desk }: { desk: HedgeDesk }) {
  const { paused, pausedForAll, lossLimitHit, day, dayPnl, settings } = desk;
  return (
    <>
      <PauseBanners paused={lossLimitHit ? null : paused} pausedForAll={pausedForAll} />
      {lossLimitHit && (
        <Alert
          type="error"
          showIcon
          title={
            <>
              已达单日最大亏损 <Amount value={settings?.dailyLossLimit} unit="USDT" />
              ，今日（自 {clockWordsOf(day.start)}）盈亏 <Pnl value={dayPnl} unit="USDT" />
              ：不再开新仓，进行中的对冲单继续管理。{paused && <PausedSince pause={paused} />}恢复需要写明原因。
            </>
          }
        />
      )}
    </>
  );
}
