import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { openJournal } from '#server/base/db/accounts/liveJournal';
import { exchangeIdOf } from '#server/market/live/orders/orderId';
import type { VenueEvent, VenueFill } from '#server/market/venue';
import type { Order } from '../../standin/core/account';
import { cashAt, cashOf } from '../../support/journalCash';
import { answerOf, liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const db = await fileDatabase();
/** What is asked of exchanges, and how many rows an answer of theirs has. */
const PLACES = [
  {
    name: 'binance',
    live: await liveAccount(db, {}, 'binance'),
    ...{ trades: /userTrades/, money: /income/, place: /^POST \/fapi\/v1\/order$/, many: 2_300 },
  },
  {
    name: 'okx',
    live: await liveAccount(db, {}, 'okx'),
    ...{ trades: /trade\/fills/, money: /account\/bills/, place: /^POST \/api\/v5\/trade\/order$/, many: 230 },
  },
  {
    name: 'bybit',
    live: await liveAccount(db, {}, 'bybit'),
    ...{ trades: /execution\/list/, money: /transaction-log/, place: /^POST \/v5\/order\/create$/, many: 230 },
  },
];
/** One that is not funded, so that days may pass. */
const FUTURE = 'BTCUSDT_261225';
const fillsOf = (events: VenueEvent[]) => events.filter((event): event is VenueFill => event.kind === 'fill');

describe.each(PLACES)('at $name', ({ live, trades, money, place, many }) => {
  const { source, exchange, customer, account, wait, process, order, resting, there, priceOf } = live;
  type Process = Awaited<ReturnType<typeof process>>;
  let [venue, journal] = [null as unknown as Process['venue'], null as unknown as Process['journal']];
  const anew = async () => {
    ({ venue, journal } = await process());
  };

  /** What one wallet alone cannot have. */
  const ofTwoWallets = customer.hasOneWallet ? () => undefined : test;

  /** Events since the last look. */
  let seen = 0;
  async function told(): Promise<VenueEvent[]> {
    const events = await journal.events(account, seen);
    seen = events.at(-1)?.sequence ?? seen;
    return events;
  }
  async function readOn(symbols: string[] = []): Promise<VenueEvent[]> {
    await journal.read(account, symbols);
    return told();
  }
  /** What somebody does by hand on the same account. */
  const byHand = (
    symbol: string,
    side: 'buy' | 'sell',
    quantity: string,
    clientId = `web_${randomUUID().slice(0, 12)}`,
  ) =>
    exchange.trading.place(customer, {
      ...{ symbol, wallet: symbol.endsWith('_SPOT') ? 'spot' : 'derivatives', clientId, side, type: 'market' },
      ...{ timeInForce: 'IOC', price: null, quantity: new Big(quantity), reduceOnly: false },
    });
  /** Its fills at the exchange. */
  const theirs = (of: Order) => customer.fills.filter((fill) => fill.order === of);

  afterEach(async () => {
    exchange.faults.clear();
    customer.feeAsset = null;
    // What an address may ask within a minute is not all used by one test file.
    wait(MINUTE_MS);
    await anew();
    // To the last digit, whatever happened; without a gap, whoever wrote it.
    await journal.read(account);
    const events = await journal.events(account, 0);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
    expect(cashOf(events)).toBe(cashAt(customer));
    await told();
  });

  async function begin(of: typeof journal): Promise<void> {
    const { since, events } = await of.found(account);
    await openJournal(db, { accountId: account, since }, events);
  }

  beforeAll(async () => {
    await anew();
    byHand('ETHUSDT', 'sell', '0.5');
    await Promise.all([begin(journal), begin((await process()).journal)]);
  });

  test('a journal begins with the money and the positions that are there, once', async () => {
    const events = await told();
    expect(events).toMatchObject([
      { kind: 'transfer', sequence: 1 },
      { kind: 'fill', symbol: 'ETHUSDT', side: 'sell', quantity: '0.5', isOutside: true, clientId: null },
    ]);
    await begin(journal);
    expect(await readOn()).toEqual([]);
  });

  test('what was filled is told once under our id, with what was paid for it, whoever reads how often', async () => {
    const sent = order();
    await venue.submit(sent);
    const other = await process();
    // What an account may ask within a second is counted whoever asks.
    wait(SECOND_MS);
    await Promise.all([journal.read(account), other.journal.read(account), journal.read(account)]);
    const fills = fillsOf(await told());
    const rows = theirs(there(sent)!);
    expect(fills.map(({ price, quantity, fee }) => [price, quantity, fee])).toEqual(
      rows.map(({ price, quantity, fee }) => [price, quantity, fee].map((figure) => figure.toFixed())),
    );
    for (const fill of fills) {
      expect(fill).toMatchObject({ clientId: sent.clientId, source, symbol: 'BTCUSDT', side: 'buy' });
      expect(fill.isOutside).toBeUndefined();
    }
    for (let i = 0; i < 3; i += 1) {
      wait(SECOND_MS);
      await other.journal.read(account, ['BTCUSDT']);
    }
    expect(await readOn(['BTCUSDT'])).toEqual([]);
  });

  test('an order that is known by its name alone is ours all the same', async () => {
    const { venue, hurried } = await process();
    const before = resting();
    await venue.submit(before);
    await venue.cancel(account, before.clientId);
    const sent = order();
    exchange.faults.next(place, { kind: 'noAnswer' });
    await expect(hurried(() => venue.submit(sent))).rejects.toThrow('no answer');
    const fills = fillsOf(await readOn());
    expect(fills.length).toBeGreaterThan(0);
    expect(new Set(fills.map(({ clientId }) => clientId))).toEqual(new Set([sent.clientId]));
  });

  test('spot is told by its own numbers: a fee of what was bought is taken from the coin', async () => {
    const symbol = 'BTCUSDT_SPOT';
    const bought = order({ symbol, leverage: 1, quantity: '0.02' });
    await venue.submit(bought);
    const [buy] = fillsOf(await readOn());
    const [row] = theirs(there(bought)!);
    expect(buy).toMatchObject({ symbol, clientId: bought.clientId, feeInBase: row!.fee.toFixed() });
    expect(buy!.fee).toBe(row!.fee.times(row!.price).toFixed());
    await venue.submit(order({ symbol, leverage: 1, side: 'sell', quantity: '0.01' }));
    const [sell] = fillsOf(await readOn());
    expect(sell).toMatchObject({ side: 'sell' });
    expect(sell!.feeInBase).toBeUndefined();
    const { free } = customer;
    expect((await journal.heldThen(account)).get(symbol)).toBe(free.get('BTC')!.toFixed());
  });

  ofTwoWallets('fees in another asset count as what they were worth, and no USDT has gone', async () => {
    customer.deposit('derivatives', 'BNB', '1');
    customer.feeAsset = 'BNB';
    const sent = order();
    await venue.submit(sent);
    const events = await readOn();
    const [fill] = fillsOf(events);
    const row = theirs(there(sent)!)[0]!;
    expect(fill!.feePaid).toEqual({ asset: 'BNB', amount: row.fee.toFixed() });
    const worth = row.fee.times(exchange.listed('BNBUSDT')!.ticker.price);
    expect(Number(fill!.fee)).toBeGreaterThan(0);
    expect(Math.abs(Number(fill!.fee) / Number(worth) - 1)).toBeLessThan(0.01);
    expect(events.filter(({ kind }) => kind === 'transfer')).toMatchObject([{ amount: fill!.fee }]);
  });

  describe('what others do on the account', () => {
    test("is found by the money that it moved, and is nobody's order", async () => {
      const placed = byHand('SOLUSDT', 'buy', '3');
      const fills = fillsOf(await readOn());
      expect(fills.length).toBe(theirs(placed).length);
      for (const fill of fills) expect(fill).toMatchObject({ symbol: 'SOLUSDT', clientId: null, isOutside: true });
    });

    test('is theirs too where another console calls its orders as we do', async () => {
      byHand('SOLUSDT', 'sell', '1', exchangeIdOf(randomUUID()));
      expect(fillsOf(await readOn())).toMatchObject([{ clientId: null, isOutside: true }]);
    });

    test('what the exchange closes by itself is forced, and no outside trade', async () => {
      exchange.trading.force(customer, 'SOLUSDT', 'adl', 0.5);
      exchange.trading.force(customer, 'SOLUSDT', 'liquidation', 1);
      const fills = fillsOf(await readOn());
      expect(new Set(fills.map(({ forced }) => forced))).toEqual(new Set(['adl', 'liquidation']));
      for (const { clientId, isOutside } of fills) expect([clientId, isOutside]).toEqual([null, undefined]);
    });

    test('what is delivered is closed once, at what it was delivered for', async () => {
      byHand(FUTURE, 'buy', '0.01');
      exchange.trading.force(customer, FUTURE, 'delivery');
      const fills = fillsOf(await readOn());
      const [own, closed] = [false, true].map((isForced) =>
        fills.filter(({ forced }) => (forced === 'delivery') === isForced),
      );
      const sum = (of: VenueFill[]) => of.reduce((all, { quantity }) => all.plus(quantity), new Big(0)).toFixed();
      expect([sum(own!), sum(closed!)]).toEqual(['0.01', '0.01']);
      expect(new Set(closed!.map(({ symbol, side }) => `${symbol} ${side}`))).toEqual(new Set([`${FUTURE} sell`]));
      expect((await journal.heldThen(account)).get(FUTURE)).toBeUndefined();
      expect(await readOn([FUTURE])).toEqual([]);
    });
  });

  ofTwoWallets(
    'money between the own wallets is none from outside; a deposit is, a rebate is a part of the result',
    async () => {
      exchange.trading.transfer(customer, 'USDT', new Big(500), 'derivatives');
      exchange.trading.transfer(customer, 'USDT', new Big('0.5'), 'spot');
      expect(await readOn()).toEqual([]);
      const rows = [
        { kind: 'transfer', amount: new Big('123.45') },
        { kind: 'insurance', amount: new Big('-0.25') },
      ] as const;
      for (const [i, row] of rows.entries()) {
        customer.deposit('derivatives', 'USDT', row.amount.toFixed());
        customer.income.push({ ...row, id: 900_000 + i, symbol: '', asset: 'USDT', at: exchange.now(), fill: null });
      }
      expect(await readOn()).toMatchObject([
        { kind: 'transfer', amount: '123.45' },
        { kind: 'bailout', amount: '-0.25' },
      ]);
    },
  );

  test('what comes to the account from outside of it is told as money, and once', async () => {
    customer.deposit('derivatives', 'USDT', '12.5');
    const row = { kind: 'transfer', id: 950_000, symbol: '', asset: 'USDT', amount: new Big('12.5') } as const;
    customer.income.push({ ...row, at: exchange.now(), fill: null });
    expect(await readOn()).toMatchObject([{ kind: 'transfer', amount: '12.5' }]);
  });

  test('a settlement is told once with rate, mark and what was held, of ours and of others', async () => {
    const held = await journal.heldThen(account);
    const before = customer.income.length;
    // No further than the next one: the stand-in settles one after the other.
    wait(7 * HOUR_MS);
    const paid = () => customer.income.slice(before).filter(({ kind }) => kind === 'funding');
    await waitFor('both are settled', 60_000, () => new Set(paid().map(({ symbol }) => symbol)).size === 2);
    await anew();
    const events = await readOn();
    const told = events.filter((event) => event.kind === 'funding');
    expect(told.length).toBe(paid().length);
    for (const row of paid()) {
      const event = told.find(({ symbol, amount }) => symbol === row.symbol && amount === row.amount.toFixed())!;
      expect(event.quantity).toBe(held.get(row.symbol));
      expect(event.at % HOUR_MS).toBe(0);
      // Who is long pays a positive rate.
      const owed = new Big(event.quantity).times(event.mark).times(event.rate).neg();
      expect(Math.abs(owed.minus(row.amount).toNumber())).toBeLessThan(1e-6);
    }
    expect(await readOn()).toEqual([]);
  });

  describe('what is told late, or not at all for a while', () => {
    test('a fill that was missed while newer ones were told is found by its money', async () => {
      const first = order({ quantity: '0.003' });
      await venue.submit(first);
      const missed = theirs(there(first)!);
      customer.fills.splice(customer.fills.indexOf(missed[0]!), missed.length);
      const sent = order({ quantity: '0.002' });
      await venue.submit(sent);
      const income = customer.income.filter(({ fill }) => fill === null || missed.every(({ id }) => id !== fill));
      const late = customer.income.filter((row) => !income.includes(row));
      customer.income.splice(0, customer.income.length, ...income);
      expect(new Set(fillsOf(await readOn()).map(({ clientId }) => clientId))).toEqual(new Set([sent.clientId]));
      customer.fills.push(...missed);
      customer.fills.sort((a, b) => a.id - b.id);
      customer.income.push(...late);
      customer.income.sort((a, b) => a.at - b.at);
      expect(new Set(fillsOf(await readOn()).map(({ clientId }) => clientId))).toEqual(new Set([first.clientId]));
    });

    test('a question without an answer writes nothing, and the next one all of it', async () => {
      await venue.submit(order());
      exchange.faults.next(trades, { kind: 'cut' });
      await expect(journal.read(account)).rejects.toThrow('no answer');
      expect(await told()).toEqual([]);
      exchange.faults.next(trades, { kind: 'garbled' });
      await expect(journal.read(account)).rejects.toThrow('no answer');
      exchange.faults.next(money, answerOf(200, {}));
      await expect(journal.read(account)).rejects.toThrow();
      expect(await told()).toEqual([]);
      expect(fillsOf(await readOn()).length).toBeGreaterThan(0);
    });

    test('all that is funded is closed by hand, as is seen', async () => {
      for (const { symbol, quantity } of [...customer.positions.values()])
        byHand(symbol, quantity.gt(0) ? 'sell' : 'buy', quantity.abs().toFixed());
      expect(fillsOf(await readOn()).every(({ isOutside }) => isOutside)).toBe(true);
      expect(customer.positions.size).toBe(0);
    });

    test('an order that rested for days is told when it is filled, by whoever reads then', async () => {
      const sent = resting({ symbol: FUTURE });
      await venue.submit(sent);
      await readOn();
      wait(11 * DAY_MS);
      await anew();
      const filled = there(sent)!;
      await waitFor('the market has met it, or somebody takes it', 60_000, () => {
        if (filled.state === 'new') filled.price = new Big(priceOf(FUTURE, 1.05));
        return filled.state === 'filled';
      });
      const fills = fillsOf(await readOn());
      expect(fills.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBeCloseTo(Number(sent.quantity), 8);
      expect(fills[0]).toMatchObject({ clientId: sent.clientId, side: 'buy', symbol: FUTURE });
    });

    test('what is held for longer than any window keeps its side and size when it is closed', async () => {
      const symbol = FUTURE;
      const before = new Big((await journal.heldThen(account)).get(symbol) ?? 0);
      await venue.submit(order({ symbol, side: 'sell', quantity: '0.05' }));
      await readOn();
      wait(10 * DAY_MS);
      await anew();
      expect(await readOn([symbol])).toEqual([]);
      const held = () => journal.heldThen(account).then((all) => all.get(symbol));
      expect(await held()).toBe(before.minus('0.05').toFixed());
      expect(await held()).toBe(customer.positionOf(symbol).toFixed());
      await venue.submit(order({ symbol, side: 'buy', quantity: '0.05', reduceOnly: false }));
      expect(fillsOf(await readOn()).every(({ side }) => side === 'buy')).toBe(true);
      expect(await held()).toBe(before.toFixed());
    });
  });

  test('more trades than one answer holds are all told', async () => {
    const placed = byHand(FUTURE, 'buy', '0.001');
    await readOn();
    const row = theirs(placed)[0]!;

    for (let i = 1; i <= many; i += 1)
      customer.fills.push({ ...row, id: row.id + i, quantity: new Big('0.001'), price: new Big(0), fee: new Big(0) });
    expect(fillsOf(await readOn([FUTURE])).length).toBe(many);
    expect(await readOn([FUTURE])).toEqual([]);
  });
});
