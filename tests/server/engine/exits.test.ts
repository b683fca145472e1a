import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { eq, sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { paperPosition } from '#server/base/db/schema';
import { alertsAbout } from '#server/base/db/strategies/strategyAlert';
import { rebalanceLegs } from '#server/desk/strategy/strategyIntents';
import { audit } from '#server/engine/audit';
import { haltAlerts } from '#server/engine/dealLegs';
import type { EngineNotice } from '#server/engine/desk';
import type { PlanContext } from '#server/engine/runner';
import { planHedge } from '#server/kinds/hedge/runner';
import { addLedger, changeHedges } from '../../support/bookRows';
import { newPairDeal } from '../../support/newPairDeal';
import { movingMarket, START, termsOf } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const market = () => movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 } });

const db = await fileDatabase();

describe('an exit', () => {
  test('a short leg with a long position is frozen until a person closes it', async () => {
    const told: EngineNotice[] = [];
    const moving = market();
    const first = await tradingDesk(db, moving, { settings: { legNotional: 20_000, leverage: 10, stopLoss: null } });
    await first.addPair();
    await first.run(1);
    await first.engine.stop();
    // What an exit that was sent twice left behind: the short leg, some -400, at +540, at the venue as well.
    const { id, userId, shortQuantity, shortCost } = await first.hedge();
    // Its legs cost the same and are two coins: there is no quantity to bring together.
    const asker = { user: { id: userId, name: 'owner' }, now: START };
    const rebalanced = db.transaction((tx) => rebalanceLegs(tx, asker, { id, way: 'unwind' }));
    await expect(rebalanced).rejects.toThrow('没有可补齐的腿');
    const sent = (await first.orders()).length;
    const more = new Big(540).minus(shortQuantity).toFixed();
    const cost = new Big(more).times(50).toFixed();
    await changeHedges(db, [id], { shortQuantity: '540', shortCost: new Big(shortCost).plus(cost).toFixed() });
    const of = { userId, dealId: id, source: 'simulated', symbol: 'BBBUSDT', at: START };
    const twice = { kind: 'fill', amount: `-${cost}`, quantity: more, price: '50', reference: 'twice' };
    await addLedger(db, { ...of, ...twice });
    await db.update(paperPosition).set({ quantity: '540' }).where(eq(paperPosition.symbol, 'BBBUSDT'));

    const desk = await tradingDesk(db, moving, { userId, engine: { notify: (notice) => told.push({ ...notice }) } });
    await desk.run(30);
    expect((await desk.hedge()).frozen).toMatch('BBBUSDT 方向有误（持有 540）');
    expect(await desk.orders()).toHaveLength(sent);
    const alarms = told.flatMap((notice) => (notice.kind === 'alarm' ? [notice.text] : []));
    expect(alarms).toHaveLength(1);
    expect(alarms[0]).toMatch(/desk-\d+ 的对冲单 AAAUSDT \/ BBBUSDT 已冻结/);
    expect(await desk.findings()).toContain(`对冲单 ${id} 空头数量为正`);

    await desk.close(id);
    await desk.run(5);
    expect(await desk.hedge()).toMatchObject({ state: 'closed', longQuantity: '0', shortQuantity: '0', frozen: null });
    const exits = (await desk.orders()).filter(({ purpose }) => purpose === 'exit');
    expect(exits.map(({ symbol, side, quantity }) => [symbol, side, quantity])).toEqual(
      expect.arrayContaining([['BBBUSDT', 'sell', '540']]),
    );
    expect(exits).toHaveLength(2);
    expect(await desk.venue.positions(userId)).toEqual([]);
    await desk.retire();
  });

  test('a leg below the minimum order is written off with its amount', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { maxHedges: 3, rebalance: null } });
    await desk.addPair('AAAUSDT', 'BBBUSDT');
    await desk.addPair('CCCUSDT', 'AAAUSDT');
    await desk.run(1);
    const opened = await desk.hedges();
    const one = opened.find(({ long }) => long === 'AAAUSDT');
    const two = opened.find(({ short }) => short === 'AAAUSDT');
    expect([one!.state, two!.state]).toEqual(['open', 'open']);
    await desk.engine.stop();
    // All but 0.03 coins (3 USDT; the least order is 5) of the long leg are gone.
    const sold = new Big(one!.longQuantity).minus('0.03');
    const part = sold.div(one!.longQuantity);
    const price = new Big(100);
    const removed = new Big(one!.longCost).times(part).round(8);
    await changeHedges(db, [one!.id], {
      longQuantity: '0.03',
      longCost: new Big(one!.longCost).minus(removed).toFixed(),
      longRealised: sold.times(price).minus(removed).toFixed(),
    });
    const of = { userId: desk.userId, dealId: one!.id, source: 'simulated', symbol: 'AAAUSDT', at: START };
    const amount = sold.times(price).toFixed();
    const gone = { kind: 'fill', amount, quantity: sold.neg().toFixed(), price: '100', reference: 'sold' };
    await addLedger(db, { ...of, ...gone });
    const held = new Big(two!.shortQuantity).plus('0.03').toFixed();
    await db.update(paperPosition).set({ quantity: held }).where(sql`account = ${desk.userId} and symbol = 'AAAUSDT'`);

    const again = await tradingDesk(db, moving, { userId: desk.userId });
    await again.run(1);
    await again.close(one!.id);
    await again.run(3);
    const ended = (await again.hedges()).find(({ id }) => id === one!.id);
    expect(ended).toMatchObject({ state: 'closed', longQuantity: '0', shortQuantity: '0' });
    expect(await again.events(one!.id)).toContain('writtenOff');
    const rows = await again.ledger('writeOff');
    expect(rows.map(({ quantity, dealId }) => [quantity, dealId])).toEqual([
      ['-0.03', one!.id],
      ['0.03', null],
    ]);
    // Nothing of it is lost: books, hedges and ledger agree; only the fixture's own trade is unknown to the venue.
    const { findings } = await audit(db, again.venue, [desk.userId]);
    expect(findings.map(({ what }) => what).filter((what) => !what.includes('交易所'))).toEqual([]);
    await again.retire();
  });

  test('goes reduce-only first, then as an own order in shrinking parts', () => {
    const held = newPairDeal(DEFAULT_SETTINGS, START);
    Object.assign(held, { state: 'closing', openedAt: START, closeAskedAt: START });
    held.legs.long.quantity = new Big('20');
    const view = { price: 100, mark: 100, at: START, turnover24h: 1e8, fresh: true, jumped: false, tradable: true };
    const context: PlanContext<'hedge'> = {
      now: START + HOUR_MS,
      long: view,
      short: { ...view, price: 50, mark: 50 },
      terms: { long: termsOf('AAAUSDT'), short: termsOf('BBBUSDT') },
      gone: { long: null, short: null },
      signal: null,
      observed: null,
      entriesDisabled: false,
      earlier: null,
      stock: new Big(0),
      isFollowed: false,
      targetNotional: { long: 0, short: 0 },
      room: { long: 0, short: 0 },
      hasMargin: false,
      orders: 10,
      venueDown: { long: false, short: false },
      account: { long: new Big(20), short: new Big(0) },
      offset: { long: new Big(100), short: new Big(0) },
    };
    const quantityWith = (account: string, attempts = 0, quantity = '20', offset = '100') => {
      held.attempts = attempts;
      held.legs.long.quantity = new Big(quantity);
      const action = planHedge(held, [], {
        ...context,
        account: { ...context.account, long: new Big(account) },
        offset: { ...context.offset, long: new Big(offset) },
      });
      return action?.do === 'send' ? action.quantity.toFixed() : action?.do;
    };
    expect(quantityWith('20')).toBe('20');
    expect(quantityWith('8')).toBe('8');
    expect(quantityWith('-3')).toBe('20');
    // Refused again and again, for instance for its margin: smaller and smaller.
    expect(quantityWith('-3', 2)).toBe('10');
    expect(quantityWith('-3', 4)).toBe('5');
    expect(quantityWith('-3', 60)).toBe('0.31');
    // Other hedges hold all of it the other way, and the margin bears no part of it: the account has nothing, nor has it.
    expect(quantityWith('0', 11)).toBe('0.62');
    expect(quantityWith('0', 12)).toBe('writeOff');
    // Off the grid: with the whole position, or what is on it first.
    expect(quantityWith('20.005', 0, '20.005')).toBe('20.005');
    expect(quantityWith('50', 0, '20.005')).toBe('20');
    expect(quantityWith('50', 0, '0.005')).toBe('writeOff');
    expect(quantityWith('-3', 0, '0.05')).toBe('writeOff');
    // Somebody sold of it by hand: what is there goes, reduce-only, and never more, which would open the other side.
    expect(quantityWith('8', 0, '20', '0')).toBe('8');
    expect(quantityWith('0', 0, '12', '0')).toBe('writeOff');
    expect(quantityWith('-3', 0, '12', '0')).toBe('writeOff');
    // Others hold 5 the other way, of which the account has 3 already: 2 are left of it.
    expect(quantityWith('-3', 0, '20', '5')).toBe('2');
    expect(quantityWith('-5', 0, '18', '5')).toBe('writeOff');
  });

  test('what was bought back by hand is not bought again where another hedge holds the other side', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { maxHedges: 3, rebalance: null } });
    await desk.addPair('AAAUSDT', 'BBBUSDT');
    await desk.addPair('BBBUSDT', 'CCCUSDT');
    await desk.run(1);
    const one = (await desk.hedges()).find(({ short }) => short === 'BBBUSDT')!;
    const other = (await desk.hedges()).find(({ long }) => long === 'BBBUSDT')!;
    // Somebody buys back a part of the one's short by hand, at the venue.
    const netted = async () =>
      (await desk.venue.positions(desk.userId)).find(({ symbol }) => symbol === 'BBBUSDT')?.quantity ?? '0';
    const part = new Big(one.shortQuantity).abs().times(0.4).round(2).toFixed();
    const clientId = randomUUID();
    // As a real exchange tells it.
    const events = desk.venue.events.bind(desk.venue);
    desk.venue.events = async (...asked) =>
      (await events(...asked)).map((event) =>
        event.kind === 'fill' && event.clientId === clientId ? { ...event, isOutside: true } : event,
      );
    await desk.venue.submit({
      ...{ clientId, account: desk.userId, source: 'simulated', symbol: 'BBBUSDT', side: 'buy' },
      ...{ type: 'market', quantity: part, limitPrice: '1000', reduceOnly: false, leverage: 3 },
    });
    await desk.run(2);
    expect(await netted()).toBe(new Big(other.longQuantity).plus(one.shortQuantity).plus(part).toFixed());
    const left = new Big(one.shortQuantity).abs().minus(part).toFixed();
    expect(await alertsAbout(db, [one.id])).toMatchObject([
      { word: 'taken', text: expect.stringContaining(`BBBUSDT 只剩 ${left} 可平，${part} 已被外部成交抵掉`) },
    ]);
    expect(await alertsAbout(db, [other.id])).toEqual([]);
    await desk.close(one.id);
    await desk.run(30);
    expect((await desk.hedges()).find(({ id }) => id === one.id)).toMatchObject({
      state: 'closed',
      shortQuantity: '0',
    });
    // What the other one holds, and no more.
    expect(await netted()).toBe(new Big(other.longQuantity).toFixed());
  });

  test('a held leg of which nothing is heard for a minute is told, unless its venue has been out meanwhile', () => {
    const held = newPairDeal(DEFAULT_SETTINGS, START);
    held.state = 'open';
    held.legs.short.quantity = new Big('-20');
    const view = { price: 100, mark: 100, at: START, turnover24h: 1e8, fresh: false, jumped: false, tradable: true };
    const never = Number.NEGATIVE_INFINITY;
    const told = (seconds: number, over: Partial<typeof view> = {}, outAt = never) =>
      haltAlerts(held, {
        now: START + seconds * 1000,
        outAt: { long: never, short: outAt },
        // Nothing of it is held.
        long: view,
        short: { ...view, ...over },
      }).map(({ word, text }) => [word, text.split(' ')[0]]);
    expect(told(61)).toEqual([['halted', 'BBBUSDT']]);
    expect(told(59)).toEqual([]);
    expect(told(61, { fresh: true })).toEqual([]);
    expect(told(61, { jumped: true })).toEqual([]);
    expect(told(61, {}, START + 61_000)).toEqual([]);
    // What is there again has to be heard of first.
    expect(told(620, {}, START + 600_000)).toEqual([]);
    expect(told(660, {}, START + 600_000)).toEqual([['halted', 'BBBUSDT']]);
  });

  test('a moment without trading terms closes nothing', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { rebalance: null } });
    const terms = desk.venue.terms.bind(desk.venue);
    await desk.addPair();
    await desk.run(1);
    desk.venue.terms = async () => undefined;
    await desk.run(120);
    expect((await desk.hedge()).state).toBe('open');
    await desk.close((await desk.hedge()).id);
    await desk.run(5);
    expect((await desk.hedge()).state).toBe('closing');
    desk.venue.terms = terms;
    await desk.run(40);
    expect((await desk.hedge()).state).toBe('closed');
  });
});
