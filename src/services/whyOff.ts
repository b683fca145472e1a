import { OFFLINE_REASON, useOfflineSince } from './offline';
import { isLookingOn } from './viewing';

const VIEWING_REASON = '正在以别人的身份只读查看，退出查看后才能执行';

/** Why what moves money is off: the server is not heard, somebody only looks on, or what else stands in its way. */
export function useWhyOff(why?: string): string | undefined {
  if (useOfflineSince() !== undefined) return OFFLINE_REASON;
  return isLookingOn() ? VIEWING_REASON : why;
}
