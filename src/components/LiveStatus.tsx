import { STALE_MS } from '#contract/stream';
import { useOfflineSince } from '@/services/offline';
import type { Live } from '@/services/stream';
import { useLive } from '@/services/useLive';
import { formatDateTime } from './DateTime';
import styles from './LiveStatus.module.css';
import { useSecond } from './useSecond';

interface LiveStatusProps {
  /** When the screen last read its figures itself, UTC ms; for screens that poll where live events do not come. */
  polledAt?: number | undefined;
  /** The figures come by reading alone: events in between do not make them newer. */
  polledOnly?: boolean;
}

const TONE = { fresh: '', waiting: styles.waiting, stale: styles.stale, down: styles.down } as const;

function toneOf({ state, lastEventAt }: Live, polledAt: number | undefined, now: number): keyof typeof TONE {
  const isOld = (at: number | undefined) => at === undefined || now - at > STALE_MS;
  if (state === 'down' && isOld(polledAt)) return 'down';
  if (lastEventAt === undefined && polledAt === undefined) return 'waiting';
  return isOld(lastEventAt) && isOld(polledAt) ? 'stale' : 'fresh';
}

/** How old the figures on the screen are, and whether new ones come. */
export function LiveStatus({ polledAt, polledOnly = false }: LiveStatusProps) {
  const heard = useLive();
  const live: Live = polledOnly ? { ...heard, lastEventAt: undefined } : heard;
  const at = Math.max(live.lastEventAt ?? 0, polledAt ?? 0);
  const isOffline = useOfflineSince() !== undefined;
  const tone = useSecond((now) => (isOffline ? 'down' : toneOf(live, polledAt, Math.max(now, at))));
  return (
    <span className={`${styles.live} ${TONE[tone]}`} role={tone === 'stale' || tone === 'down' ? 'alert' : undefined}>
      <span className={styles.dot} aria-hidden="true" />
      {tone === 'down' && <strong>离线</strong>}
      {tone === 'stale' && <strong>数据延迟</strong>}
      {at === 0 ? (
        tone !== 'down' && '正在连接'
      ) : (
        <span>
          更新于 <time>{formatDateTime(at, 'second').slice(11)}</time>
          {tone === 'down' && '，正在重新连接'}
        </span>
      )}
      {tone === 'down' && at === 0 && '正在重新连接'}
    </span>
  );
}
