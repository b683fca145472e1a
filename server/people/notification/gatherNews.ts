import Big from 'big.js';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { ACCOUNT_TROUBLE_LABEL } from '#contract/lifecycle';
import type { NotificationLevel } from '#contract/notification';
import { troublesSince } from '../../base/db/accounts/liveTrouble';
import { reconciliationsSince } from '../../base/db/accounts/reconciliation';
import { failuresSince } from '../../base/db/books/bookProgress';
import { flattensByOthers } from '../../base/db/books/flatten';
import type { Queries } from '../../base/db/client';
import {
  bailoutNews,
  dealNews,
  doneToOthers,
  fundingNews,
  listeners,
  newestRecords,
  newPlaces,
  outsideNews,
  pauseOfAll,
  pausesByOthers,
  switchesByOthers,
  unopenedSingles,
} from '../../base/db/markets/newsSource';
import { type News, toldKeys } from '../../base/db/records/notification';
import { alertsSince } from '../../base/db/strategies/strategyAlert';
import { tripsSince } from '../../base/db/strategies/strategyGuard';
import { plain, usdt } from '../../base/maths/decimal';
import { heldWords, troubleWords } from '../../desk/account/health';
import { dealName, detailWords, signedMoney, TOLD_EVENTS, wordsOf } from '../../desk/strategy/dealWords';
import { keyNews } from './keyNews';

/** What happened longer ago when it comes to be told is told no more: the demo's past, a server that was off for days. */
const FRESH_MS = DAY_MS;
/** The legs of one settlement are booked within so long: their sum is told once. */
const SETTLED_MS = 15_000;
/** Differences that are named. */
const SAID = 3;

interface Place {
  eventId: number;
  ledgerId: number;
}

/**
 * What users are to be told of, out of what is on record since a place: deals, funding, pauses, their keys, and what was
 * done to their accounts. It is read from the record, not heard from the engine, so that a process that dies loses none of it.
 * @returns the news, and the newest place that they cover.
 */
export async function gatherNews(db: Queries, after: Place, now: number): Promise<{ news: News[]; seen: Place }> {
  const since = now - FRESH_MS;
  // First, so that what comes in between is looked at again.
  const seen = await newestRecords(db);
  const people = await listeners(db);
  const news = [
    ...(await ofDeals(db, after.eventId, since, people.masters)),
    ...(await ofFunding(db, after.ledgerId, { since, until: now - SETTLED_MS })),
    ...(await ofBailouts(db, after.ledgerId, since, people.masters)),
    ...(await ofOutside(db, after.ledgerId, since)),
    ...(await ofBreakers(db, since, people.masters)),
    ...(await ofAlerts(db, since)),
    ...(await ofFailures(db, since, people.masters)),
    ...(await ofTroubles(db, since)),
    ...(await ofPauses(db, since)),
    ...(await ofPauseOfAll(db, since, people.all)),
    ...(await ofFlattens(db, since)),
    ...(await ofSwitches(db, since)),
    ...(await ofSingles(db, since)),
    ...(await keyNews(db, now, since)),
    ...(await accountNews(db, since)),
    ...(await ofReconciliations(db, since, people.masters)),
  ];
  return { news, seen };
}

/** What is of real money says so first. */
const titleIn = (mode: string, title: string): string => (mode === 'live' ? `实盘 · ${title}` : title);

async function ofDeals(db: Queries, after: number, since: number, masters: readonly string[]): Promise<News[]> {
  const found = await dealNews(db, after, TOLD_EVENTS, since);
  return found.flatMap((event) => {
    const { kind, level, title: what, forMasters } = wordsOf(event.kind);
    const title = titleIn(event.mode, what);
    const names = dealName(event.places ?? []);
    const details = [detailWords(event.kind, event.detail)];
    if (event.kind === 'closed' && event.net !== null) details.push(`净盈亏 ${signedMoney(event.net)}`);
    if (event.kind === 'closed') details.push(...event.writtenOff);
    const text = [names, ...details].filter((part) => part !== '').join('，');
    const news = { key: `deal:${event.id}`, kind, level, title, at: event.at } as const;
    const link = `/strategy/${event.strategy}?id=${event.dealId}&strategy=${event.strategyId}`;
    const others = forMasters ? masters.filter((id) => id !== event.userId) : [];
    return [
      { ...news, userId: event.userId, text, link },
      ...others.map((userId) => ({ ...news, userId, text: `${event.user}：${text}`, link })),
    ];
  });
}

async function ofFunding(db: Queries, after: number, span: { since: number; until: number }): Promise<News[]> {
  const found = await fundingNews(db, after, span);
  return found.map(({ userId, at, amount, positions }) => ({
    userId,
    key: `funding:${at}`,
    kind: 'funding',
    level: 'info',
    title: Number(amount) < 0 ? '支付资金费' : '收到资金费',
    text: `${signedMoney(amount)}，共 ${positions} 个持仓`,
    link: '/',
    at,
  }));
}

async function ofBailouts(db: Queries, after: number, since: number, masters: readonly string[]): Promise<News[]> {
  const found = await bailoutNews(db, after, since);
  return found.flatMap(({ id, userId, user, account, amount, at }) => {
    const text = `${account} 的亏损超出全部权益，交易所垫付 ${usdt(Number(amount))}`;
    const news = { key: `bailout:${id}`, kind: 'risk', level: 'error', title: '账户穿仓', link: '/', at } as const;
    const others = masters.filter((master) => master !== userId);
    return [{ ...news, userId, text }, ...others.map((told) => ({ ...news, userId: told, text: `${user}：${text}` }))];
  });
}

/**
 * What was traded in a real account for no deal, by somebody else or by an order whose deal had ended: once an hour, symbol
 * and side, with all of it that is booked by then, for who does so goes on doing it.
 */
async function ofOutside(db: Queries, after: number, since: number): Promise<News[]> {
  const found = await outsideNews(db, after, since);
  const byKey = new Map<string, typeof found>();
  for (const fill of found) {
    const hour = Math.floor(fill.at / HOUR_MS);
    const key = `${fill.isLate ? 'late' : 'outside'}:${fill.accountId}:${fill.source}:${fill.symbol}:${sideOf(fill)}:${hour}`;
    byKey.set(key, [...(byKey.get(key) ?? []), fill]);
  }
  const told = await toldKeys(db, [...new Set(found.map(({ userId }) => userId))], [...byKey.keys()]);
  return [...byKey].flatMap(([key, fills]): News[] => {
    const { userId, accountId, account, symbol, at, isLate } = fills.at(-1)!;
    // It stands as it was told: who has read it would not see it change.
    if (told.has(key)) return [];
    const whose = isLate ? '是本系统的委托，它的交易单已经结束' : '不是本系统的委托';
    return [
      {
        ...{ userId, key, kind: 'risk', level: 'warning', title: isLate ? '实盘 · 迟到的成交' : '实盘 · 外部成交' },
        text: `${account}：${symbol} ${fillWords(fills)}，${whose}，不属于任何交易单；一小时内同向的不再提醒，持仓可在账户总览接管或忽略`,
        link: `/?view=own&account=${accountId}`,
        at,
      },
    ];
  });
}

type OutsideFill = Awaited<ReturnType<typeof outsideNews>>[number];

const sideOf = ({ quantity }: Pick<OutsideFill, 'quantity'>): string => (Number(quantity) < 0 ? '卖出' : '买入');

/** Their side, their quantity together and what it was traded at on average. */
function fillWords(fills: readonly OutsideFill[]): string {
  const quantity = fills.reduce((sum, fill) => sum.plus(fill.quantity ?? 0), new Big(0));
  const value = fills.reduce((sum, fill) => sum.plus(new Big(fill.quantity ?? 0).times(fill.price ?? 0)), new Big(0));
  const price = quantity.eq(0) ? new Big(0) : value.div(quantity).round(8);
  return `${sideOf(fills[0]!)} ${plain(quantity.abs())} @ ${plain(price)}${fills.length > 1 ? `（${fills.length} 笔）` : ''}`;
}

async function ofBreakers(db: Queries, since: number, masters: readonly string[]): Promise<News[]> {
  const found = await tripsSince(db, since);
  return found.flatMap(({ id, userId, at, name, mode, kind, detail }) =>
    [...new Set([userId, ...masters])].map((told) => ({
      userId: told,
      key: `breaker:${id}`,
      kind: 'risk' as const,
      level: 'error' as const,
      title: titleIn(mode, `策略 ${name} 已熔断`),
      text: `${detail}；不再开仓，平仓与止损不因熔断停止，恢复需要写明原因`,
      // The overview is the masters'.
      link: masters.includes(told) ? '/strategy/overview' : `/strategy/${kind}`,
      at,
    })),
  );
}

async function ofReconciliations(db: Queries, since: number, masters: readonly string[]): Promise<News[]> {
  const found = await reconciliationsSince(db, since);
  return found
    .filter(({ row }) => row.verdict === 'differs')
    .flatMap(({ row: { userId, at, said }, user }) =>
      [...new Set([userId, ...masters])].map((told) => ({
        userId: told,
        key: `reconcile:${userId}:${at}`,
        kind: 'risk' as const,
        level: 'error' as const,
        title: '实盘 · 每日对账有差异',
        text: `${told === userId ? '' : `${user}：`}${said.slice(0, SAID).join('；')}${said.length > SAID ? `；等 ${said.length} 处` : ''}`,
        // The page of all orders is the masters'.
        link: masters.includes(told) ? `/strategy/order?reconcile=${userId}` : '/?view=own&reconcile=1',
        at,
      })),
    );
}

async function ofAlerts(db: Queries, since: number): Promise<News[]> {
  const found = await alertsSince(db, since);
  return found.map(({ id, userId, at, level, title, text, name, mode, kind, strategyId }) => ({
    userId,
    key: `alert:${id}`,
    kind: 'risk',
    level,
    title: titleIn(mode, title),
    text: `${name}：${text}`,
    link: `/strategy/${kind}?strategy=${strategyId}`,
    at,
  }));
}

/** That looks at a book fail, once while that lasts, and that they do no more: to its owner and to masters. */
async function ofFailures(db: Queries, since: number, masters: readonly string[]): Promise<News[]> {
  const found = await failuresSince(db, since);
  return found.flatMap(({ userId, user, since: began, until, what }) => {
    const words = [
      {
        ...({ key: `failing:${userId}:${began}`, level: 'error', title: '账户处理失败', at: began ?? 0 } as const),
        text: `连续多次失败（${what}）：不记账，不开仓也不平仓，止损不执行，请联系管理员`,
      },
      {
        ...({ key: `failingOver:${userId}:${began}`, level: 'info', title: '账户处理已恢复', at: until ?? 0 } as const),
        text: '照常记账、开平仓，止损照常执行',
      },
    ];
    return [userId, ...masters.filter((id) => id !== userId)].flatMap((told) =>
      words
        .filter(({ at }) => at >= since)
        .map((one): News => {
          const text = told === userId ? one.text : `${user}：${one.text}`;
          return { ...one, userId: told, kind: 'risk', link: '/', text };
        }),
    );
  });
}

/** What is wrong with a real account, once while that lasts, and that it is over: to its owner. */
async function ofTroubles(db: Queries, since: number): Promise<News[]> {
  const found = await troublesSince(db, since);
  return found.flatMap(({ id, userId, name, what, reason, at, recoveredAt }): News[] => {
    const words = `${name}：${troubleWords({ what, reason })}`;
    const news = [
      {
        ...({ key: `trouble:${id}:${at}`, level: 'error', title: '实盘账户暂停开仓', at } as const),
        text: `${words}；${heldWords({ what, reason })}`,
      },
      {
        ...({ key: `troubleOver:${id}:${at}`, level: 'info', title: '实盘账户已恢复', at: recoveredAt ?? 0 } as const),
        text: `${name} 不再有异常：${ACCOUNT_TROUBLE_LABEL[what]}；已熔断的策略写明原因后启动即恢复`,
      },
    ];
    return news.filter((one) => one.at >= since).map((one) => ({ ...one, userId, kind: 'risk', link: '/' }));
  });
}

async function ofPauses(db: Queries, since: number): Promise<News[]> {
  const found = await pausesByOthers(db, since);
  return found.flatMap(({ userId, at, by, reason }) =>
    at === null
      ? []
      : [
          {
            userId,
            key: `pause:${at}`,
            kind: 'risk' as const,
            level: 'warning' as const,
            title: '已暂停开仓',
            text: `由${by}暂停${reason ? `：${reason}` : ''}`,
            link: '/strategy/hedge',
            at,
          },
        ],
  );
}

async function ofPauseOfAll(db: Queries, since: number, everybody: readonly string[]): Promise<News[]> {
  const pause = await pauseOfAll(db, since);
  if (pause?.pausedAt == null) return [];
  const { pausedAt: at, pausedBy, reason } = pause;
  const text = `由 ${pausedBy} 暂停${reason ? `：${reason}` : ''}；进行中的交易单继续管理`;
  const news = {
    key: `pauseOfAll:${at}`,
    kind: 'risk',
    level: 'warning',
    title: '全部用户已暂停开仓',
    text,
    at,
  } as const;
  return everybody.map((userId) => ({ ...news, userId, link: '/strategy/hedge' }));
}

/** What somebody else had closed of a user's. */
async function ofFlattens(db: Queries, since: number): Promise<News[]> {
  const found = await flattensByOthers(db, since);
  return found.map(({ id, userId, at, by, reason, deals }) => ({
    userId,
    key: `flatten:${id}`,
    kind: 'risk',
    level: 'warning',
    title: '交易单被全部平仓',
    text: `由 ${by} 平掉 ${deals} 张${reason === '' ? '' : `：${reason}`}`,
    link: `/?view=own&report=${id}`,
    at,
  }));
}

/** Strategies that somebody else has switched. */
async function ofSwitches(db: Queries, since: number): Promise<News[]> {
  const found = await switchesByOthers(db, since);
  return found.map(({ id, userId, at, by, detail, name, mode, kind, strategyId }) => ({
    userId,
    key: `switch:${id}`,
    kind: 'risk',
    level: 'warning',
    title: titleIn(mode, `策略 ${name} 被切换`),
    text: `由 ${by} 操作：${detail}`,
    link: `/strategy/${kind}?strategy=${strategyId}`,
    at,
  }));
}

/** Single deals that were confirmed and not opened: whoever left the screen has to know. */
async function ofSingles(db: Queries, since: number): Promise<News[]> {
  const found = await unopenedSingles(db, since);
  return found.map(({ userId, at, name, mode, kind, strategyId, refused }) => ({
    userId,
    key: `single:${strategyId}`,
    kind: 'trade',
    level: 'warning',
    title: titleIn(mode, '单笔没有开仓'),
    text: `${name}：${refused === 'waitsForZ' ? '到时 z 还没有到入场线' : '确认的条件没有满足'}，已放弃，没有委托留下`,
    link: `/strategy/${kind}?strategy=${strategyId}`,
    at,
  }));
}

type Values = Record<string, unknown> | null;

interface Words {
  level: NotificationLevel;
  /** null: not worth a line. */
  title: (after: Values, before: Values) => string | null;
  link?: string;
}

const ROLES: Record<string, string> = { master: '管理员', editor: '编辑', user: '用户' };
const roleOf = (values: Values): string => ROLES[String(values?.role)] ?? String(values?.role);

/** What somebody does to the account of another that its owner is told of, by the action of the audit log. */
const TOLD: Record<string, Words> = {
  'PUT /api/user/role': {
    level: 'warning',
    title: (after, before) => `角色由${roleOf(before)}改为${roleOf(after)}`,
  },
  'PUT /api/user/hedging': {
    level: 'warning',
    title: (after) => (after?.enabled === true ? '对冲已被启用' : '对冲已被停用'),
    link: '/strategy/hedge',
  },
  'PUT /api/user/status': { level: 'info', title: (after) => (after?.blocked === false ? '账户已恢复' : null) },
  'POST /api/user/password/reset': { level: 'warning', title: () => '密码已被重置' },
  'user passwd': { level: 'warning', title: () => '密码已被重置' },
  'user factor-off': { level: 'warning', title: () => '两步验证已被关闭' },
};

/** What users are to be told of their own accounts: what others did to them, and logins from a new place. */
async function accountNews(db: Queries, since: number): Promise<News[]> {
  const [done, logins] = [await doneToOthers(db, Object.keys(TOLD), since), await newPlaces(db, since)];
  return [
    ...done.flatMap(({ id, at, userId, actor, action, before, after }): News[] => {
      const { level, title, link = null } = TOLD[action]!;
      const told = title(after, before);
      const text = `由 ${actor} 操作；若不是您要求的，请联系管理员`;
      return told === null ? [] : [{ userId, key: `audit:${id}`, kind: 'system', level, title: told, text, link, at }];
    }),
    ...logins.map(
      ({ id, at, userId, address }): News => ({
        ...{ userId, key: `login:${id}`, kind: 'system', level: 'warning', at },
        title: '从新的地址登录',
        text: `${address} 第一次登录本账户；若不是您本人，请修改密码并退出其他设备`,
        link: null,
      }),
    ),
  ];
}
