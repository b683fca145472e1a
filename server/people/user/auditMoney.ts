import { account } from '#contract/account';
import { venueName } from '#contract/candle';
import { flatten, intervention } from '#contract/flatten';
import { endpoints } from '#contract/index';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS, type HedgeState, type OrderState } from '#contract/lifecycle';
import { order } from '#contract/order';
import { strategies } from '#contract/strategies';
import { isLaddered, type StrategyKind } from '#contract/strategy';
import { type TransferState, venueAccount } from '#contract/venueAccount';
import type { Queries } from '../../base/db/client';
import { DESK_KIND } from '../../base/db/hedges/hedgeConfig';
import {
  type AuditSubjects,
  auditSubjects,
  type Closed,
  closedBy,
  desksOf,
  type Opened,
  type Opener,
  openedAfter,
  transfersBy,
} from '../../base/db/records/auditSubjects';
import type { findAudits } from '../../base/db/records/auditTrail';
import { sum } from '../../base/maths/decimal';
import { dealName, detailWords, signedMoney } from '../../desk/strategy/dealWords';

type Found = Awaited<ReturnType<typeof findAudits>>[number];
/** What a row of the log says of money, in words; null where there is nothing to say. */
export type MoneyWords = Partial<Record<'object' | 'amount' | 'outcome', string | null>>;

const callOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const callsOf = (...some: { method: string; path: string }[]) => new Set(some.map(callOf));

const PAIR_ADDED = callsOf(hedgeConfig.addPair);
/** What a kind does but once ends so. */
const ONCE = endpoints.filter(({ path }) => path.endsWith('/once'));
const STARTS = callsOf(strategies.start, strategies.single, hedge.single, hedge.takeOver, hedgeConfig.enable, ...ONCE);
const ARMS = callsOf(strategies.armTargets, hedgeConfig.armPair);
/** What starts or ends that a strategy opens. */
const SWITCHES = callsOf(
  ...[strategies.start, strategies.pause, strategies.closeOnly, strategies.stop, strategies.guard],
  ...[hedgeConfig.enable, hedgeConfig.disable],
);
const CLOSES_ALL = callsOf(flatten.ask, hedge.flatten, hedge.switchAll, strategies.closeOnly, strategies.stop);
CLOSES_ALL.add(callOf(intervention.ask));
const REDUCES = callsOf(strategies.reduceDeal, hedge.reduce);
/** Whatever is done to a deal, of any kind; what is written about it moves nothing. */
const OF_DEAL = callsOf(
  ...endpoints.filter(
    ({ method, path }) => method !== 'GET' && /^\/api\/(strategy|hedge)\//.test(path) && !path.endsWith('/note'),
  ),
);
const TRANSFERS = callsOf(venueAccount.transfer, venueAccount.transferCoin);
const CANCELS = callsOf(order.cancel);
/** What of the caller's own desk names it by nothing. */
const OWN_DESK = callsOf(hedgeConfig.create, hedgeConfig.update, hedgeConfig.enable, hedgeConfig.disable);
const OWN_BOOK = callsOf(hedge.flatten, hedge.pause, hedge.resume, account.lossLimit);

const EVERYBODY = callsOf(hedge.switchAll);
const OPENS_ACCOUNT = callsOf(venueAccount.open, venueAccount.openLive);
const DESK = '多空对冲';
/** Whether a strategy is what the desk writes, which has no name of its own. */
const isDesk = ({ kind, single }: Pick<Strategy, 'kind' | 'single'>): boolean => kind === DESK_KIND && single === null;

const usdt = (amount: number) => `${amount.toLocaleString('en-US', { maximumFractionDigits: 2 })} USDT`;

const TRANSFER_WORDS: Record<TransferState, string> = {
  asked: '等待转出',
  transit: '在途',
  arrived: '已到账',
  failed: '没有转出',
};
const STATE_WORDS: Record<HedgeState, string> = {
  waiting: '等待建仓',
  opening: '建仓中',
  open: '持有中',
  closing: '平仓中',
  closed: '已平仓',
  failed: '没有建成',
};

type Deal = NonNullable<ReturnType<AuditSubjects['deals']['get']>>;
type Strategy = NonNullable<ReturnType<AuditSubjects['strategies']['get']>>;

/** The size in params. */
function sizeText(of: (Pick<Strategy, 'kind'> & { params: unknown }) | undefined): string | null {
  if (of === undefined) return null;
  const { kind, params } = of;
  const { legNotional } = (params ?? {}) as { legNotional?: number };
  if (legNotional === undefined) return null;
  return isLaddered(kind as StrategyKind) ? `总名义 ${usdt(legNotional)}` : `每腿 ${usdt(legNotional)}`;
}

/** What was paid for the first leg; of one that bought nothing yet what it is to be. */
function dealSize(deal: Deal): string | null {
  const long = deal.legs.find(({ leg }) => leg === 'long');
  const paid = Math.abs(Number(long?.notional ?? 0));
  return paid === 0 || isLaddered(deal.kind as StrategyKind) ? sizeText(deal) : `每腿 ${usdt(paid)}`;
}

const dealNet = ({ legs }: Deal): string =>
  sum(legs.flatMap(({ realised, funding, fees }) => [realised, funding, `${-Number(fees)}`])).toFixed(2);

function dealOutcome(deal: Deal): string {
  const state = deal.state as HedgeState;
  if (!HEDGE_ENDS.includes(state)) return STATE_WORDS[state];
  const why = deal.closeReason === null ? '' : `（${detailWords('closed', deal.closeReason)}）`;
  return state === 'failed'
    ? `${STATE_WORDS.failed}${why}`
    : `${STATE_WORDS.closed}${why}，净 ${signedMoney(dealNet(deal))}`;
}

function openedText({ deals, running, failed, net }: Opened): string {
  const opened = deals - failed;
  const closed = opened - running;
  return [
    opened === 0 ? '没有开出交易单' : `开出 ${opened} 张`,
    ...(running > 0 ? [`${running} 张进行中`] : []),
    ...(closed > 0 ? [`${closed} 张已结束`] : []),
    ...(failed > 0 ? [`${failed} 张没有建成`] : []),
    ...(closed + failed > 0 ? [`净 ${signedMoney(net)}`] : []),
  ].join('，');
}

function closedText({ deals, left, net }: Closed): string {
  const ended = deals - left;
  const rest = left > 0 ? `，${left} 张还没有结束` : '';
  return ended === 0 ? `${left} 张还没有结束` : `平掉 ${ended} 张，净 ${signedMoney(net)}${rest}`;
}

const lossText = ({ dailyLossLimit }: Record<string, unknown>): string | null =>
  typeof dailyLossLimit === 'number' ? `单日最大亏损 ${usdt(dailyLossLimit)}` : null;

const openedAccount = ({ venue, name, amount }: Record<string, unknown>): MoneyWords => ({
  object: `${venueName(`${venue}`)} ${name}`,
  amount: usdt(Number(amount)),
});

/** Whose deals were meant by a call that names nobody. */
const allText = (row: Found): string =>
  inputOf(row).everybody === true || isOf(EVERYBODY, row) ? '所有用户的持仓' : '自己的全部持仓';

const NAMED = 3;
const shortList = (names: readonly string[]) =>
  names.length > NAMED ? `${names.slice(0, NAMED).join('、')} 等 ${names.length} 个` : names.join('、');

/** Every text of an input that may be an id. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
};

const inputOf = ({ audit }: Found) => (audit.input ?? {}) as Record<string, unknown>;
/** What was refused as it was sent is not kept. */
const isRead = ({ audit }: Found) => audit.input !== null;
const isDone = ({ result }: Found) => result !== null && result.code < 300;
const isOf = (calls: ReadonlySet<string>, { audit }: Found) => calls.has(audit.action);

/** Says of rows of the log what they are about: names of ids, and of acts that move money object, amount and outcome. */
export async function auditMoney(db: Queries, rows: readonly Found[]): Promise<AuditWords> {
  const ids = rows.flatMap((row) => [row.audit.object ?? '', ...textsIn(row.audit.input), ...textsIn(row.result)]);
  const ofDesk = rows.filter((row) => isOf(OWN_DESK, row) || isOf(PAIR_ADDED, row));
  const actors = ofDesk.flatMap(({ audit }) => audit.actorId ?? []);
  const [subjects, desks] = await Promise.all([auditSubjects(db, ids), desksOf(db, actors)]);
  const named = new Names(subjects, desks);
  const done = rows.filter(isDone);
  const doers = (calls: ReadonlySet<string>) =>
    done.flatMap((row) => {
      const { id, at, actorId } = row.audit;
      return isOf(calls, row) && actorId !== null ? [{ row, auditId: id, at, actorId }] : [];
    });
  const [opened, closed, transfers] = await Promise.all([
    openedAfter(
      db,
      [...doers(STARTS), ...doers(ARMS)].flatMap(({ row }) => named.openerOf(row) ?? []),
      [...SWITCHES],
    ),
    closedBy(
      db,
      doers(CLOSES_ALL).map(({ row, ...doer }) => ({ ...doer, strategyId: named.strategyIn(row)?.id ?? null })),
    ),
    transfersBy(
      db,
      doers(TRANSFERS).map(({ row, auditId, at, actorId }) => {
        const { from, to } = inputOf(row);
        return { auditId, at, actorId, from: `${from}`, to: `${to}` };
      }),
    ),
  ]);
  return new AuditWords(named, { opened, closed, transfers });
}

/** What ids of the log are called. */
class Names {
  readonly #subjects: AuditSubjects;
  readonly #desks: ReadonlyMap<string, Strategy>;

  constructor(subjects: AuditSubjects, desks: ReadonlyMap<string, Strategy>) {
    this.#subjects = subjects;
    this.#desks = desks;
  }

  /** Undefined for what is nothing that is known. */
  of(id: string): string | undefined {
    const { deals, strategies, users, accounts } = this.#subjects;
    const [deal, own] = [deals.get(id), strategies.get(id)];
    if (deal) return dealName(deal.legs);
    if (own) return isDesk(own) ? DESK : own.name;
    return this.pair(id) ?? users.get(id)?.name ?? (accounts.has(id) ? this.account(id) : undefined);
  }

  pair(id: string): string | undefined {
    const found = this.#subjects.targets.get(id);
    return found && dealName(found.legs);
  }

  account(id: unknown): string {
    const found = this.#subjects.accounts.get(`${id}`);
    return found ? `${venueName(found.venue)} ${found.name}` : '别的账户';
  }

  /** A pair, with its strategy where that has a name of its own. */
  within(strategyId: string | undefined, pairs: string): string {
    const own = this.#subjects.strategies.get(strategyId ?? '');
    return own === undefined || isDesk(own) ? pairs : `${pairs}（${own.name}）`;
  }

  /** A strategy, with what it may open. */
  strategy(own: Strategy): string {
    if (isDesk(own)) return DESK;
    const pairs = (this.#subjects.targetsOf.get(own.id) ?? []).map(({ legs }) => dealName(legs));
    return pairs.length === 0 ? own.name : `${own.name}（${shortList(pairs)}）`;
  }

  deal = ({ audit }: Found): Deal | undefined => this.#subjects.deals.get(audit.object ?? '');

  /** The targets that a row names. */
  targets(row: Found) {
    const { ids = [], pairId = '' } = inputOf(row) as { ids?: string[]; pairId?: string };
    return [...ids, pairId].flatMap((id) => this.#subjects.targets.get(id) ?? []);
  }

  orders(row: Found) {
    const { ids = [] } = inputOf(row) as { ids?: string[] };
    return ids.flatMap((id) => this.#subjects.orders.get(id) ?? []);
  }

  desk = ({ audit }: Found): Strategy | undefined => this.#desks.get(audit.actorId ?? '');

  /** The strategy that a row is about. */
  strategyIn(row: Found): Strategy | undefined {
    if (isOf(OWN_DESK, row)) return this.desk(row);
    const { id = '' } = (row.result?.after ?? {}) as { id?: string };
    return this.#subjects.strategies.get(row.audit.object ?? '') ?? this.#subjects.strategies.get(id);
  }

  strategyOf = ({ strategyId }: { strategyId: string }) => this.#subjects.strategies.get(strategyId);

  openerOf(row: Found): Opener | undefined {
    const { id: auditId, at, actorId } = row.audit;
    if (isOf(ARMS, row)) {
      const armed = this.targets(row);
      const [first] = armed;
      const targetIds = armed.map(({ id }) => id);
      return first && { auditId, at, strategyId: first.strategyId, actorId: null, targetIds };
    }
    const own = this.strategyIn(row);
    return own && { auditId, at, strategyId: own.id, actorId: isOf(OWN_DESK, row) ? actorId : null, targetIds: null };
  }
}

interface Outcomes {
  opened: ReadonlyMap<number, Opened>;
  closed: ReadonlyMap<number, Closed>;
  transfers: Awaited<ReturnType<typeof transfersBy>>;
}

class AuditWords {
  readonly #names: Names;
  readonly #outcomes: Outcomes;

  constructor(names: Names, outcomes: Outcomes) {
    this.#names = names;
    this.#outcomes = outcomes;
  }

  nameOf = (id: string): string | undefined => this.#names.of(id);

  /** A refused act says why in place of an outcome. */
  wordsOf(row: Found): MoneyWords {
    const words = this.#wordsOf(row);
    return isDone(row) ? words : { ...words, outcome: null };
  }

  #wordsOf(row: Found): MoneyWords {
    const deal = this.#names.deal(row);
    if (deal) return this.#ofDeal(row, deal);
    if (isOf(TRANSFERS, row)) return isRead(row) ? this.#ofTransfer(row) : {};
    if (isOf(CANCELS, row)) return this.#ofCancel(row);
    if (isOf(CLOSES_ALL, row)) return this.#ofAll(row);
    if (isOf(PAIR_ADDED, row)) return { amount: sizeText(this.#names.desk(row)) };
    if (isOf(OWN_BOOK, row)) return { object: '自己的账户', amount: lossText(inputOf(row)) };
    if (isOf(OPENS_ACCOUNT, row)) return isRead(row) ? openedAccount(inputOf(row)) : {};
    if (this.#names.targets(row).length > 0) return this.#ofTargets(row);
    const own = this.#names.strategyIn(row);
    if (own === undefined) return {};
    const made = this.#outcomes.opened.get(row.audit.id);
    return { object: this.#names.strategy(own), amount: sizeText(own), outcome: made ? openedText(made) : null };
  }

  #ofDeal(row: Found, deal: Deal): MoneyWords {
    const { percent, amount } = inputOf(row) as { percent?: number; amount?: number };
    const object = this.#names.within(deal.strategyId, dealName(deal.legs));
    const size = dealSize(deal);
    if (isOf(REDUCES, row)) {
      const isOver = deal.reducedAt !== null && deal.reducedAt >= row.audit.at;
      const left =
        deal.state === 'open' ? (isOver ? '已平掉这一部分，其余持有中' : '正在平掉这一部分') : dealOutcome(deal);
      return { object, amount: `${percent} %${size === null ? '' : `，${size}`}`, outcome: left };
    }
    const outcome = isOf(OF_DEAL, row) ? dealOutcome(deal) : null;
    return { object, amount: amount === undefined ? size : usdt(amount), outcome };
  }

  #ofTargets(row: Found): MoneyWords {
    const found = this.#names.targets(row);
    const own = this.#names.strategyOf(found[0]!);
    const size = sizeText(own);
    const made = this.#outcomes.opened.get(row.audit.id);
    return {
      object: this.#names.within(own?.id, shortList(found.map(({ legs }) => dealName(legs)))),
      amount: size !== null && found.length > 1 ? `${found.length} 个，${size}` : size,
      outcome: made ? openedText(made) : null,
    };
  }

  #ofTransfer(row: Found): MoneyWords {
    const { from, to, amount, coin, quantity } = inputOf(row);
    const moved = this.#outcomes.transfers.get(row.audit.id);
    return {
      object: `${this.#names.account(from)} → ${this.#names.account(to)}`,
      amount: coin === undefined ? usdt(Number(amount)) : `${quantity} ${coin}`,
      outcome: moved ? `${TRANSFER_WORDS[moved.state as TransferState]}，手续费 ${usdt(Number(moved.fee))}` : null,
    };
  }

  #ofCancel(row: Found): MoneyWords {
    const found = this.#names.orders(row);
    if (found.length === 0) return {};
    const worth = found.reduce((total, { quantity, limitPrice }) => total + Number(quantity) * Number(limitPrice), 0);
    const count = (state: OrderState) => found.filter((one) => one.state === state).length;
    const live = count('open');
    return {
      object: shortList([...new Set(found.map(({ symbol }) => symbol))]),
      amount: `${found.length} 笔，${usdt(worth)}`,
      outcome: `撤销 ${count('cancelled')} 笔${live > 0 ? `，${live} 笔还挂着` : ''}`,
    };
  }

  #ofAll(row: Found): MoneyWords {
    const asked = this.#outcomes.closed.get(row.audit.id);
    const own = this.#names.strategyIn(row);
    return {
      ...(own ? { object: this.#names.strategy(own) } : row.audit.object === null && { object: allText(row) }),
      amount: asked?.notional == null ? sizeText(own) : usdt(Number(asked.notional)),
      outcome: asked ? closedText(asked) : null,
    };
  }
}
