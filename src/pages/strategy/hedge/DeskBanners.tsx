import { Alert } from 'antd';
import type { HedgeDesk, Pause } from '#contract/hedgeConfig';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Pnl } from '@/components/Pnl';

const Since = ({ pause: { at, by, reason } }: { pause: Pause }) => (
  <>
    自 <DateTime value={at} /> 由 {by} 暂停{reason === '' ? '' : `，原因：${reason}`}。
  </>
);

/** Why nothing new is opened, from the strongest reason down. */
export function DeskBanners({ desk }: { desk: HedgeDesk }) {
  const { paused, pausedForAll, lossLimitHit, dayPnl, settings } = desk;
  return (
    <>
      {pausedForAll && (
        <Alert
          type="error"
          showIcon
          title={
            <>
              管理员已暂停所有用户开仓：
              <Since pause={pausedForAll} />
              进行中的对冲单继续管理。
            </>
          }
        />
      )}
      {lossLimitHit && (
        <Alert
          type="error"
          showIcon
          title={
            <>
              已达单日最大亏损 <Amount value={settings?.dailyLossLimit} unit="USDT" />
              ，今日（UTC）盈亏 <Pnl value={dayPnl} unit="USDT" />
              ：不再开新仓，进行中的对冲单继续管理。{paused && <Since pause={paused} />}恢复需要写明原因。
            </>
          }
        />
      )}
      {paused && !lossLimitHit && (
        <Alert
          type="warning"
          showIcon
          title={
            <>
              已暂停开仓：
              <Since pause={paused} />
              进行中的对冲单继续管理。
            </>
          }
        />
      )}
    </>
  );
}
