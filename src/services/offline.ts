import { useSyncExternalStore } from 'react';
import { service } from '#contract/service';
import { BEAT_MS } from '#contract/stream';
import { call } from './call';
import { contact } from './contact';
import { type Live, liveNow, onLive, retryLive } from './stream';

/** Beats in a row without a sign of life before the console counts as cut off. */
const MOST_MISSED = 3;

/** A stream beats as long as it is open; a network that is gone without a word leaves it open. */
const STREAMED: ReadonlySet<Live['state']> = new Set(['open', 'down']);

const listeners = new Set<() => void>();
/** Why nothing that moves money can be done meanwhile. */
export const OFFLINE_REASON = '离线：恢复连接后才能执行';

/** When the server was last heard, UTC ms, while it is not heard any more. */
let since: number | undefined;
let missed = 0;
let lookedAt = Date.now();

function show(next: number | undefined): void {
  if (next === since) return;
  since = next;
  for (const listener of [...listeners]) listener();
}

/** A browser without a network may still hand out what a stream had sent; only an answer shows that the server is within reach. */
const heardAt = (): number =>
  navigator.onLine ? Math.max(contact.answeredAt(), liveNow().lastEventAt ?? 0) : contact.answeredAt();

/** Asks whether the server is there; every answer is heard of by `contact`. */
function probe(): void {
  call(service.environment, {}, { quiet: () => true, timeout: BEAT_MS }).catch(() => {});
}

function look(): void {
  const heard = heardAt();
  if (heard >= lookedAt) missed = 0;
  // A page that asks for nothing hears nothing: silence is a sign where something failed, or where beats are due.
  else if (contact.isFailing() || STREAMED.has(liveNow().state)) {
    missed += 1;
    probe();
  }
  lookedAt = Date.now();
  if (missed >= MOST_MISSED) show(since ?? heard);
}

function hear(): void {
  if (since === undefined || heardAt() <= since) return;
  missed = 0;
  show(undefined);
}

/** Begins to look; answers how to stop. */
function begin(): () => void {
  lookedAt = Date.now();
  const clock = setInterval(look, BEAT_MS);
  const leave = [contact.onAnswer(hear), onLive(hear)];
  return () => {
    for (const each of leave) each();
    clearInterval(clock);
    missed = 0;
    since = undefined;
  };
}

/** Of those who look, who all look together. */
let stop: (() => void) | undefined;

function onOffline(listener: () => void): () => void {
  stop ??= begin();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = undefined;
  };
}

/** When the server was last heard, UTC ms, once three beats in a row have brought no sign of life; else undefined. */
export const useOfflineSince = (): number | undefined => useSyncExternalStore(onOffline, () => since);

/** Tries at once to hear the server again. */
export function reconnect(): void {
  probe();
  retryLive();
}
