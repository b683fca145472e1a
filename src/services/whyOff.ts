import { OFFLINE_REASON, useOfflineSince } from './offline';

const VIEWING_REASON = '正在以别人的身份只读查看，退出查看后才能执行';

let isViewing = false;

/** Tells whether a master looks on as somebody else: read when a screen is drawn, which every change of it begins anew. */
export function setViewing(viewing: boolean): void {
  isViewing = viewing;
}

/** Why what moves money is off: the server is not heard, somebody only looks on, or what else stands in its way. */
export function useWhyOff(why?: string): string | undefined {
  if (useOfflineSince() !== undefined) return OFFLINE_REASON;
  return isViewing ? VIEWING_REASON : why;
}
