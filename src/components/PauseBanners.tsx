import { Alert } from 'antd';
import type { Pause } from '#contract/hedgeConfig';
import { DateTime } from './DateTime';

/** Since when, by whom and why. */
export const PausedSince = ({ pause: { at, by, reason } }: { pause: Pause }) => (
  <>
    自 <DateTime value={at} /> 由 {by} 暂停{reason === '' ? '' : `，原因：${reason}`}。
  </>
);

/** That nothing new is opened, for everybody or for the user. */
export function PauseBanners({ paused, pausedForAll }: { paused: Pause | null; pausedForAll: Pause | null }) {
  const banners = [
    { pause: pausedForAll, type: 'error', words: '管理员已暂停所有用户开仓' },
    { pause: paused, type: 'warning', words: '已暂停开仓' },
  ] as const;
  return banners.map(
    ({ pause, type, words }) =>
      pause && (
        <Alert
          key={words}
          type={type}
          showIcon
          title={
            <>
              {words}：<PausedSince pause={pause} />
              进行中的对冲单继续管理。
            </>
          }
        />
      ),
  );
}
