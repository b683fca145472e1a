import { EXPIRY_NEWS_DAYS, type KeyRight, WEIGHT_WARNING } from '#contract/apiKey';
import { LIVE_EXCHANGES } from '#contract/candle';
import { DAY_MS } from '#contract/duration';
import type { NotificationLevel } from '#contract/notification';
import { type ApiKeyRecord, keysOfConcern } from '../../base/db/accounts/apiKey';
import type { Queries } from '../../base/db/client';
import type { News } from '../../base/db/records/notification';
import { isBusy, percentOf } from '../apiKey/keyReport';

/** A key that ended longer ago is no news. */
const ENDED_MS = 30 * DAY_MS;

const RIGHTS: Record<KeyRight, string> = {
  read: '读取',
  spot: '现货',
  derivative: '合约',
  transfer: '划转',
  withdraw: '提现',
};

const wordsOf = (rights: readonly KeyRight[]): string => rights.map((right) => RIGHTS[right]).join('、');
export const nameOfKey = ({ exchange, name }: ApiKeyRecord): string =>
  `${(LIVE_EXCHANGES as Record<string, string>)[exchange] ?? exchange} · ${name}`;

/** Where the list of keys shows it alone. */
export const keyLink = ({ exchange, name }: ApiKeyRecord): string =>
  `/user/apiKey?${new URLSearchParams({ exchange, search: name })}`;

function newsOf(record: ApiKeyRecord, event: string, level: NotificationLevel, title: string, rest: string) {
  const { userId, id } = record;
  return {
    userId,
    key: `key:${id}:${event}`,
    kind: 'key',
    level,
    title,
    text: `${nameOfKey(record)}${rest}`,
    link: keyLink(record),
  } as const;
}

/** What users are to be told of their keys: ends that come near, refusals, other rights, too many requests. @param since of what changed */
export async function keyNews(db: Queries, now: number, since: number): Promise<News[]> {
  const [first] = EXPIRY_NEWS_DAYS;
  const ends = { from: now - ENDED_MS, to: now + first * DAY_MS };
  const found = await keysOfConcern(db, { ends, changedSince: since, weight: WEIGHT_WARNING });
  return found.flatMap((record) => [
    ...ofEnd(record, now),
    ...ofRefusal(record, now),
    ...ofRights(record, since),
    ...ofWeight(record),
  ]);
}

const endOf = ({ report }: ApiKeyRecord): number | null => report?.expiresAt ?? null;

/** The stage that has been reached, of 14, 3 and 1 days before and the end itself: each is told once. */
function ofEnd(record: ApiKeyRecord, now: number): News[] {
  const end = endOf(record);
  if (end === null || end <= now - ENDED_MS) return [];
  const stage = end <= now ? 0 : EXPIRY_NEWS_DAYS.findLast((days) => end - now <= days * DAY_MS);
  if (stage === undefined) return [];
  const known = record.rotatedAt ?? record.createdAt;
  const title = stage === 0 ? '密钥已过期' : '密钥即将到期';
  const words = stage === 0 ? '：交易所不再接受它，请更换' : `：${stage} 天内到期，请在交易所续期或更换`;
  const news = newsOf(record, `end:${end}:${stage}`, stage > 3 ? 'warning' : 'error', title, words);
  return [{ ...news, at: Math.max(end - stage * DAY_MS, known) }];
}

/** Once a streak, however long it gets; that of a key that has ended is told as its end. */
function ofRefusal(record: ApiKeyRecord, now: number): News[] {
  const { failingSince, report } = record;
  if (failingSince === null || (endOf(record) ?? now + 1) <= now) return [];
  const reason = report?.reason ? `：${report.reason}` : '';
  return [{ ...newsOf(record, `refused:${failingSince}`, 'error', '密钥认证失败', reason), at: failingSince }];
}

/** Once a day. */
function ofWeight(record: ApiKeyRecord): News[] {
  const { report } = record;
  if (report === null || !isBusy(report)) return [];
  const words = `：一分钟内已用 ${percentOf(report.weightUsed)}，用完后交易所暂停应答，请降低请求频率或分给别的密钥`;
  const news = newsOf(record, `weight:${Math.floor(report.at / DAY_MS)}`, 'warning', '请求权重将用完', words);
  return [{ ...news, at: report.at }];
}

function ofRights(record: ApiKeyRecord, since: number): News[] {
  const { rightsSeen, rightsBefore, rightsChangedAt: at } = record;
  if (at === null || at < since || rightsSeen === null || rightsBefore === null) return [];
  const gained = rightsSeen.filter((right) => !rightsBefore.includes(right));
  const lost = rightsBefore.filter((right) => !rightsSeen.includes(right));
  const changes = [
    ...(gained.length > 0 ? [`增加 ${wordsOf(gained)}`] : []),
    ...(lost.length > 0 ? [`减少 ${wordsOf(lost)}`] : []),
    ...(gained.includes('withdraw') ? ['谁得到它就能转走资金，请立即在交易所关闭提现'] : []),
  ];
  const level = gained.includes('withdraw') ? 'error' : 'warning';
  return [{ ...newsOf(record, `rights:${at}`, level, '密钥权限有变化', `：${changes.join('；')}`), at }];
}
