import Big from 'big.js';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import {
  filledByJournal,
  growJournal,
  isSettledInJournal,
  type JournalCursors,
  journalEvents,
  journalOf,
  type NamedEvent,
  ownOrders,
  restlessOrders,
  type StoredJournal,
  toldNames,
  tradedSince,
} from '../../../base/db/accounts/liveJournal';
import { liveOrderOf, restingOrders } from '../../../base/db/accounts/liveOrder';
import type { Queries } from '../../../base/db/client';
import { plain, signedBy } from '../../../base/maths/decimal';
import type { VenueEvent, VenueFill } from '../../venue';
import { isSpot } from '../listing';
import { ourIdOf } from './orderId';
import type { Income, Origin, OwnTrade, RealRecords } from './realExchange';
import { Unanswered } from './unanswered';

const CASH = 'USDT';
/** What is told late is told within this; it is read again so long, and written once. */
const LATE_MS = 10 * MINUTE_MS;
/** Where nothing happened it is noted no more often how far was read. */
const NOTED_EVERY_MS = MINUTE_MS;
/** How often what met another process's is worked out anew. */
const ATTEMPTS = 5;
/** Income that trades tell. */
const IN_TRADES: readonly Income['means'][] = ['trade', 'delivery'];
/** How far the mark of a settlement may be from the price of that minute, a part of it. */
const MARK_NEAR = 0.02;
/** Amounts have eight digits, marks and rates of late as many: what fits better is the same. */
const FITS = { share: '0.000001', least: '0.0000001' };

interface LiveJournalOptions {
  db: Queries;
  source: string;
  /** Whoever reads an account at its exchange. */
  recordsOf(account: string): Promise<RealRecords>;
}

type Owner = Pick<VenueFill, 'clientId' | 'forced' | 'isOutside'>;
/** All that an account had happen to it and that is not written yet. */
interface Fresh {
  trades: OwnTrade[];
  income: Income[];
  cursors: JournalCursors;
}

interface Found {
  fills: number;
  ends: number;
}

const tradeName = ({ symbol, id }: Pick<OwnTrade, 'symbol' | 'id'>): string => `trade:${symbol}:${id}`;

/**
 * What happened to accounts at a real exchange, each once and in a sequence without gaps, from what the exchange itself
 * keeps: trades by their numbers, money by its own. Streams only say that there is something to read. Of two processes
 * that read at the same moment the later one reads again.
 */
export class LiveJournal {
  readonly #options: LiveJournalOptions;

  constructor(options: LiveJournalOptions) {
    this.#options = options;
  }

  /**
   * What it begins with: the money that is there, and positions of others at their marks. What these have made before is
   * part of that money: it is no result of the day, nor of anything that is traded here.
   */
  async found(account: string): Promise<{ since: number; events: NamedEvent[] }> {
    const records = await this.#options.recordsOf(account);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const since = await records.time();
      const { balances, positions } = await records.holdings();
      // What happens meanwhile may be in it or not.
      if ((await records.income(since, await records.time())).length > 0) continue;
      const made = positions.reduce(
        (sum, { quantity, markPrice, entryPrice }) => sum.plus(new Big(markPrice).minus(entryPrice).times(quantity)),
        new Big(0),
      );
      const cash = balances.filter(({ asset }) => asset === CASH).reduce((all, { total }) => all.plus(total), made);
      const events: VenueEvent[] = [
        { kind: 'transfer', sequence: 1, account, source: '', symbol: '', at: since, amount: plain(cash) },
        ...positions.map(({ symbol, quantity, markPrice }, i): VenueFill => {
          const size = new Big(quantity);
          return {
            ...{ kind: 'fill', sequence: i + 2, account, source: this.#options.source, symbol, at: since },
            ...{
              fillId: `${account}:open:${symbol}`,
              clientId: null,
              isOutside: true,
              side: size.gt(0) ? 'buy' : 'sell',
            },
            ...{ quantity: plain(size.abs()), price: markPrice, fee: '0', maker: false },
          };
        }),
      ];
      return { since, events: events.map((event) => ({ name: `open:${event.sequence}`, event })) };
    }
    throw new Unanswered('an account that keeps moving');
  }

  events(account: string, after: number, most?: number): Promise<VenueEvent[]> {
    return journalEvents(this.#options.db, account, after, most);
  }

  /**
   * Reads on.
   * @param symbols where something was heard of beside those that the journal itself asks about
   * @param isWhole whether it is read beside them: it costs more
   * @returns how many fills it found, and how many ends of orders that rested
   * @throws Unanswered: nothing of it is written then
   */
  async read(account: string, symbols: Iterable<string> = [], isWhole = true): Promise<Found> {
    const { db, recordsOf } = this.#options;
    const records = await recordsOf(account);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const journal = await this.stand(account);
      const fresh = await this.#fresh(records, journal, symbols, isWhole);
      const happened = await this.#eventsOf(records, journal, fresh);
      const events = [...happened, ...(await this.#endsAfter(journal, happened))];
      const isNoted = fresh.cursors.income - journal.cursors.income < NOTED_EVERY_MS;
      if (events.length === 0 && isNoted) return { fills: 0, ends: 0 };
      const isGrown = await growJournal(db, journal, { events, cursors: fresh.cursors });
      const count = (of: VenueEvent['kind']) => events.filter(({ event }) => event.kind === of).length;
      if (isGrown) return { fills: count('fill'), ends: count('orderEnd') };
    }
    throw new Unanswered('a journal that others keep writing');
  }

  /** What is written of orders, base currency, by client id. */
  filled(account: string, clientIds: readonly string[]): Promise<Map<string, string>> {
    return filledByJournal(this.#options.db, account, clientIds);
  }

  /** What an account held before an instant by its journal, signed, by symbol; now where none is given. */
  async heldThen(account: string, until?: number): Promise<Map<string, string>> {
    const held = new Map(Object.entries((await this.stand(account)).held));
    const since = until === undefined ? [] : await tradedSince(this.#options.db, account, until);
    for (const [symbol, quantity] of since) held.set(symbol, plain(new Big(held.get(symbol) ?? 0).minus(quantity)));
    return held;
  }

  /** What an account may have held at some moment since an instant. */
  async heldSince(account: string, since: number): Promise<string[]> {
    const then = await this.heldThen(account, since);
    const traded = await tradedSince(this.#options.db, account, since);
    return [
      ...new Set([...[...then].filter(([, size]) => !new Big(size).eq(0)).map(([symbol]) => symbol), ...traded.keys()]),
    ];
  }

  /** How far it was read. @throws Unanswered where it was not opened */
  async stand(account: string): Promise<StoredJournal> {
    const journal = await journalOf(this.#options.db, account);
    if (journal === undefined) throw new Unanswered('an account that was not opened');
    return journal;
  }

  /** Whether the settlement of an instant (UTC ms) is written. */
  isSettled(account: string, symbol: string, at: number): Promise<boolean> {
    return isSettledInJournal(this.#options.db, account, symbol, at);
  }

  async #fresh(
    records: RealRecords,
    journal: StoredJournal,
    symbols: Iterable<string>,
    isWhole: boolean,
  ): Promise<Fresh> {
    const { db } = this.#options;
    const { accountId, since, cursors } = journal;
    const now = await records.time();
    const income = isWhole ? await records.income(Math.max(since + 1, cursors.income - LATE_MS), now) : [];
    const places = new Map<string, { id: number | null; from: number }>();
    const look = (symbol: string, asked: number, trade: string | null = null) => {
      const from = Math.max(since + 1, asked);
      const known = places.get(symbol) ?? cursors.trades[symbol] ?? { id: null, from };
      // One that is older than what was read was missed, or came late: from its instant on all is read again.
      const isMissed = trade !== null && known.id !== null && Number(trade) <= known.id;
      if (isMissed) places.set(symbol, { id: null, from });
      else places.set(symbol, known.id === null ? { id: null, from: Math.min(from, known.from) } : known);
    };
    for (const symbol of symbols) look(symbol, cursors.trades[symbol]?.from ?? now - LATE_MS);
    const restless = isWhole ? await restlessOrders(db, accountId, cursors.income - LATE_MS) : [];
    for (const { symbol, deadline } of restless) look(symbol, cursors.trades[symbol]?.from ?? deadline - MINUTE_MS);
    const traded = income.filter(({ trade }) => trade !== null);
    const written = await toldNames(
      db,
      accountId,
      traded.map(({ symbol, trade }) => tradeName({ symbol, id: trade! })),
    );
    for (const { symbol, trade, at } of traded)
      if (!written.has(tradeName({ symbol, id: trade! }))) look(symbol, at - SECOND_MS, trade);
    // Money of a trade that it does not name, as a delivery's may be: what is new of that symbol is asked for.
    for (const { symbol, means, trade, at } of income)
      if (means === 'trade' && trade === null && symbol !== '') look(symbol, at - SECOND_MS);

    const read = await Promise.all(
      [...places].map(async ([symbol, place]) => [symbol, place, await records.trades(symbol, place, now)] as const),
    );
    const trades: JournalCursors['trades'] = { ...cursors.trades };
    for (const [symbol, { from }, rows] of read) {
      const newest = Math.max(cursors.trades[symbol]?.id ?? -1, ...rows.map((trade) => records.numberOf(trade) ?? -1));
      trades[symbol] = newest < 0 ? { id: null, from: Math.max(from, now - LATE_MS) } : { id: newest, from };
    }
    return {
      trades: read.flatMap(([, , rows]) => rows),
      income,
      cursors: { income: isWhole ? now : cursors.income, trades },
    };
  }

  /** What is not written yet, in the order in which it happened. */
  async #eventsOf(records: RealRecords, journal: StoredJournal, { trades, income }: Fresh): Promise<NamedEvent[]> {
    const { accountId: account, sequence, since } = journal;
    const names = [
      ...[...trades, ...income.flatMap(({ closed }) => closed ?? [])].map(tradeName),
      ...income.map(({ name }) => name),
    ];
    const written = await toldNames(this.#options.db, account, names);
    const freshTrades = trades.filter((trade) => trade.at > since && !written.has(tradeName(trade)));
    const delivered = income.flatMap(({ closed }) => (closed && !written.has(tradeName(closed)) ? [closed] : []));
    freshTrades.push(...delivered);
    const freshIncome = income.filter(({ means, name }) => !IN_TRADES.includes(means) && !written.has(name));
    const owners = await this.#ownersOf(records, account, freshTrades);
    const found: NamedEvent[] = [];
    for (const trade of freshTrades) found.push(...(await this.#fill(records, account, trade, owners.get(trade)!)));
    const moved = freshIncome.find(({ transfer }) => transfer !== null);
    const own = moved ? await records.ownTransfers(moved.at - LATE_MS) : new Set<string | null>();
    for (const row of freshIncome) {
      if (row.means === 'funding') found.push(await this.#funding(records, account, row, freshTrades));
      else if (row.asset === CASH && !own.has(row.transfer as string)) found.push(moneyOf(account, row));
    }
    found.sort((a, b) => a.event.at - b.event.at);
    return found.map(({ name, event }, i) => ({ name, event: { ...event, sequence: sequence + i + 1 } }));
  }

  /**
   * Ends of orders that rested and were not filled, whoever ended them: each once all its fills are written, so that what
   * rests no more is never laid again beside what was filled of it.
   */
  async #endsAfter({ accountId, sequence }: StoredJournal, events: readonly NamedEvent[]): Promise<NamedEvent[]> {
    const ended = (await restingOrders(this.#options.db, accountId)).flatMap(({ report, ...order }) =>
      report === null || report.state === 'open' ? [] : [{ ...order, report }],
    );
    const written = await this.filled(
      accountId,
      ended.map(({ clientId }) => clientId),
    );
    const filledOf = (clientId: string) =>
      events.reduce(
        (sum, { event }) => (event.kind === 'fill' && event.clientId === clientId ? sum.plus(event.quantity) : sum),
        new Big(written.get(clientId) ?? 0),
      );
    return ended
      .filter(({ clientId, report }) => filledOf(clientId).gte(report.filledQuantity))
      .map(({ clientId, source, symbol, report }, i) => ({
        name: `end:${clientId}`,
        event: {
          ...{ kind: 'orderEnd', sequence: sequence + events.length + i + 1, account: accountId },
          ...{ source, symbol, at: report.at, report },
        },
      }));
  }

  async #ownersOf(records: RealRecords, account: string, trades: readonly OwnTrade[]): Promise<Map<OwnTrade, Owner>> {
    const { db } = this.#options;
    const owners = new Map<OwnTrade, Owner>();
    for (const symbol of new Set(trades.map((trade) => trade.symbol))) {
      const rows = trades.filter((trade) => trade.symbol === symbol);
      const orders = [...new Set(rows.map(({ order }) => order))];
      const known = await ownOrders(db, account, symbol, orders);
      const told = new Map<string, Owner>();
      for (const order of orders) {
        const clientId = known.get(order);
        const origin = rows.find((row) => row.order === order)?.origin;
        if (clientId !== undefined) told.set(order, { clientId });
        // An order without an answer has no number yet: it is known by its name alone.
        else
          told.set(
            order,
            await this.#ownerOf(account, origin ?? (await records.originOf?.(symbol, order)) ?? { name: '' }),
          );
      }
      for (const trade of rows) owners.set(trade, told.get(trade.order)!);
    }
    return owners;
  }

  async #ownerOf(account: string, { name, forced }: Origin): Promise<Owner> {
    if (forced) return { clientId: null, forced };
    const clientId = ourIdOf(name);
    // Another console may trade the same account.
    const isOurs = clientId !== null && (await liveOrderOf(this.#options.db, account, clientId)) !== undefined;
    return isOurs ? { clientId } : { clientId: null, isOutside: true };
  }

  /** A fee in an asset of its own counts as what it was worth; that worth came from outside of what the books hold. */
  async #fill(records: RealRecords, account: string, trade: OwnTrade, owner: Owner): Promise<NamedEvent[]> {
    const { symbol, id, side, quantity, price, fee, feeAsset, maker, at } = trade;
    const stamp = { sequence: 0, account, source: this.#options.source, symbol, at };
    const isInBase = isSpot(symbol) && side === 'buy' && symbol === `${feeAsset}${CASH}_SPOT`;
    const isOther = feeAsset !== CASH && !isInBase && !new Big(fee).eq(0);
    const value = isInBase
      ? new Big(fee).times(price)
      : isOther
        ? new Big(fee).times(await records.priceThen(feeAsset, at)).round(8)
        : new Big(fee);
    const fill: VenueFill = {
      ...{ kind: 'fill', ...stamp, fillId: `${account}:${symbol}:${id}`, ...owner, side, quantity, price, maker },
      ...{ fee: plain(value), ...(isInBase && { feeInBase: fee }) },
      ...(isOther && { feePaid: { asset: feeAsset, amount: fee } }),
    };
    const name = tradeName(trade);
    if (!isOther) return [{ name, event: fill }];
    const worth: VenueEvent = { kind: 'transfer', ...stamp, source: '', symbol: '', amount: plain(value) };
    return [
      { name, event: fill },
      { name: `fee:${name}`, event: worth },
    ];
  }

  async #funding(records: RealRecords, account: string, row: Income, fresh: readonly OwnTrade[]): Promise<NamedEvent> {
    const settled = await records.settlement(row.symbol, row.at);
    if (settled === undefined) throw new Unanswered('a settlement');
    const { at, rate } = settled;
    const before = (await this.heldThen(account, at)).get(row.symbol) ?? 0;
    const held = fresh
      .filter((trade) => trade.symbol === row.symbol && trade.at < at)
      .reduce((sum, { side, quantity }) => sum.plus(signedBy(side, new Big(quantity))), new Big(before));
    const told = row.mark ?? settled.mark;
    const mark = told ?? (await this.#markBy(records, row, held.times(rate), at));
    const perUnit = new Big(mark).times(rate).neg();
    const away = held.times(perUnit).minus(row.amount).abs();
    const isExplained = away.lte(new Big(row.amount).abs().times(FITS.share).plus(FITS.least));
    const quantity = isExplained || perUnit.eq(0) ? held : new Big(row.amount).div(perUnit).round(8);
    return {
      name: row.name,
      event: {
        ...{ kind: 'funding', sequence: 0, account, source: this.#options.source, symbol: row.symbol, at },
        ...{ rate, mark, quantity: plain(quantity), amount: row.amount },
      },
    };
  }

  /** The mark that what was held explains the amount by, where it is near the price then; that price else. */
  async #markBy(records: RealRecords, { symbol, amount }: Income, heldByRate: Big, at: number): Promise<string> {
    const price = await records.priceThen(symbol.slice(0, -CASH.length), at);
    const mark = heldByRate.eq(0) ? null : new Big(amount).div(heldByRate).neg();
    return mark?.minus(price).abs().lte(new Big(price).times(MARK_NEAR)) ? plain(mark.round(12)) : price;
  }
}

const moneyOf = (account: string, { name, means, amount, at }: Income): NamedEvent => ({
  name,
  event: {
    kind: means === 'transfer' ? 'transfer' : 'bailout',
    ...{ sequence: 0, account, source: '', symbol: '', at, amount },
  },
});
