import type { AccountStops } from '#contract/account';
import { SECOND_MS } from '#contract/duration';
import { ACCOUNT_TROUBLE_LABEL, type AccountTrouble } from '#contract/lifecycle';
import { noteTrouble, type Trouble, troublesOf } from '../../base/db/accounts/liveTrouble';
import type { AccountRow } from '../../base/db/accounts/venueAccount';
import type { Database, Queries } from '../../base/db/client';
import { VENUE_WORDS } from '../../engine/words';
import { tripReal } from '../strategy/tripped';

/** Whether a person alone lets go on what was opened in the account before. */
const ENDS_BY_HAND: Record<AccountTrouble, boolean> = {
  // What a key may was changed by somebody: what is traded by it is looked at before it goes on.
  keyRefused: true,
  clockOff: false,
  journalBehind: false,
};

/** Why it is so, in words; empty where there is no more to say. */
function whyWords({ what, reason }: Trouble): string {
  if (reason === null) return '';
  if (what !== 'clockOff') return VENUE_WORDS[reason] ?? reason;
  const aheadMs = Number(reason);
  return `比交易所${aheadMs > 0 ? '慢' : '快'} ${(Math.abs(aheadMs) / SECOND_MS).toFixed(1)} 秒`;
}

/** What is wrong with an account, in words. */
export function troubleWords(trouble: Trouble): string {
  const [label, why] = [ACCOUNT_TROUBLE_LABEL[trouble.what], whyWords(trouble)];
  return why === '' ? label : `${label}（${why}）`;
}

/** With what an exchange lets nobody in, nothing is sent at all. */
const SHUTS_OUT: readonly (string | null)[] = ['notPermitted', 'noKey', 'otherAccount'];

/** What becomes of an account with a trouble meanwhile, in words. */
export function heldWords({ what, reason }: Trouble): string {
  if (SHUTS_OUT.includes(reason)) return '其中不开新仓，平仓与止损也发不出去，请尽快更正或更换密钥';
  // It may be that its exchange answers nobody.
  if (what === 'journalBehind') return '其中不开新仓，平仓在交易所应答时照常发出';
  const held = '其中不开新仓，平仓照常发出';
  return what === 'clockOff' ? `${held}；请校准服务器的系统时间（开启 NTP 同步）` : held;
}

/**
 * Keeps what is wrong with a real account, or that nothing is; ends the entries of what a person has to look at first.
 * @returns whether that is new
 */
export async function noteHealth(
  db: Database,
  account: Pick<AccountRow, 'id' | 'userId' | 'venue' | 'name'>,
  trouble: Trouble | null,
  at: number,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const lasts = trouble !== null && ENDS_BY_HAND[trouble.what];
    const isNew = await noteTrouble(tx, account.id, trouble && { ...trouble, lasts }, at);
    if (isNew && lasts) await tripReal(tx, account, `${account.name}：${troubleWords(trouble)}`, at);
    return isNew;
  });
}

/** The user's real accounts in which nothing is opened now. */
export async function accountTroubles(db: Queries, userId: string): Promise<AccountStops['troubles']> {
  return (await troublesOf(db, [userId])).map(({ name, what, reason, at }) => ({
    ...{ account: name, what, at },
    reason: whyWords({ what, reason }),
    held: heldWords({ what, reason }),
  }));
}
