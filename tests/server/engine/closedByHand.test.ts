import { HEDGE_ENDS } from '#contract/lifecycle';
import { findDesk } from '#server/base/db/hedges/hedgeConfig';
import { cancelOrders } from '#server/desk/order/cancelOrders';
import { flattenBook, resumeBook } from '#server/desk/strategy/bookIntents';
import {
  armTargets,
  closeDeal,
  pauseStrategy,
  rebalanceLegs,
  startStrategy,
} from '#server/desk/strategy/strategyIntents';
import { armPair, saveOver } from '#server/kinds/hedge/configRoutes';
import type { PaperFaults } from '#server/market/paper/paperVenue';
import { pairsOf } from '../../support/bookRows';
import { KIND_SAMPLES, kindDesk, kindMarket, type TradedKind } from '../../support/kindDesk';
import { BY_Z, movingMarket, wavingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const market = kindMarket();
const db = await fileDatabase();

type Desk = Awaited<ReturnType<typeof kindDesk>>;
const isRunning = ({ state }: { state: string }) => !HEDGE_ENDS.includes(state as never);

/** Every kind is to find something again at once; what books both legs in one step is held up, so that a person comes in time. */
const SAMPLES: { [K in TradedKind]: Parameters<typeof kindDesk>[3] } = {
  fundingRate: { over: { roundStep: 0 } },
  spread: { over: { roundStep: 0 } },
  cexRate: {},
  okx: { faults: { eventsLateMs: () => 3000 } },
  grid: {},
};
const KINDS = Object.keys(KIND_SAMPLES) as TradedKind[];

/** The deal that was begun first, and what stands at its target. */
async function begun(desk: Desk) {
  const running = async () => (await desk.deals()).find(isRunning);
  for (let left = 6; left > 0 && (await running()) === undefined; left -= 1) await desk.run(1);
  const first = await running();
  const standing = async () => (await desk.targets()).find(({ id }) => id === first!.targetId)!;
  const ofTarget = async () => (await desk.deals()).filter(({ targetId }) => targetId === first!.targetId);
  return { id: first!.id, targetId: first!.targetId, standing, ofTarget };
}

describe.each(KINDS)('a deal of kind %s closed by a person', (kind) => {
  test('is not entered again, in any process, until a person arms it', async () => {
    const desk = await kindDesk(db, market, kind, SAMPLES[kind]);
    const { id, targetId, standing, ofTarget } = await begun(desk);
    const asks = () => desk.ask((tx, asker) => closeDeal(tx, asker, id));
    // Asked for again it is no error, neither while it closes nor once it has ended.
    await asks();
    await asks();
    await desk.run(15);
    await asks();
    expect((await ofTarget()).map((one) => [one.id, isRunning(one)])).toEqual([[id, false]]);
    expect(await standing()).toMatchObject({ block: 'closedByHand', hold: 'closed', heldBy: 'desk' });

    // A pause and a start are no decision to open it again.
    await desk.ask((tx, asker, strategyId) => pauseStrategy(tx, asker, strategyId));
    await desk.ask((tx, asker, strategyId) => startStrategy(tx, asker, strategyId));
    const other = await tradingDesk(db, desk.moving, { userId: desk.userId });
    await desk.engine.stop();
    await other.run(5);
    expect(await ofTarget()).toHaveLength(1);
    expect((await standing()).block).toBe('closedByHand');

    await desk.ask((tx, asker) => armTargets(tx, asker, [targetId]));
    // What has ended long ago disarms nothing.
    await asks();
    expect(await standing()).toMatchObject({ hold: null, heldAt: null, heldBy: null });
    await other.run(5);
    expect((await standing()).block).not.toBe('closedByHand');
  });
});

test.each(['fundingRate', 'spread', 'cexRate', 'okx'] as const)(
  'a deal of kind %s closed with its target kept armed is entered again',
  async (kind) => {
    const desk = await kindDesk(db, market, kind, SAMPLES[kind]);
    const { id, standing, ofTarget } = await begun(desk);
    await desk.ask((tx, asker) => closeDeal(tx, asker, id, { keepArmed: true }));
    await desk.run(15);
    expect((await ofTarget()).length).toBeGreaterThan(1);
    expect((await standing()).hold).toBeNull();
  },
);

test('an entry that a person cancels or unwinds is not entered again', async () => {
  const over = { roundStep: 0, orderType: 'maker', convertSeconds: 3600 };
  const resting = await kindDesk(db, market, 'spread', { over });
  const { standing, ofTarget } = await begun(resting);
  const ids = (await resting.live()).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(0);
  await resting.ask((tx, { now }) => cancelOrders(tx, { ids }, now));
  await resting.run(15);
  expect((await ofTarget()).map(({ state }) => state)).toEqual(['failed']);
  expect(await standing()).toMatchObject({ block: 'closedByHand', hold: 'closed', heldBy: null });
  await resting.retire();

  // The second leg is refused: what has come in is alone.
  const reject: NonNullable<PaperFaults['reject']> = ({ side }) => side === 'sell';
  const alone = await kindDesk(db, market, 'cexRate', { faults: { reject } });
  const second = await begun(alone);
  await alone.ask((tx, asker) => rebalanceLegs(tx, asker, { id: second.id, way: 'unwind' }));
  await alone.run(30);
  expect(await second.ofTarget()).toHaveLength(1);
  expect((await second.standing()).hold).toBe('closed');
});

describe('hedges', () => {
  const asker = (userId: string, now: number) => ({ user: { id: userId, name: 'somebody' }, now });
  const handMarket = () =>
    movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 }, DDDUSDT: { price: 10 } });
  type HedgeDesk = Awaited<ReturnType<typeof tradingDesk>>;
  const close = async (desk: HedgeDesk, id: string, now: number) => {
    await db.transaction((tx) => closeDeal(tx, asker(desk.userId, now), id));
    await desk.engine.wake(desk.userId);
  };
  const blocks = async (desk: HedgeDesk) => (await pairsOf(db, desk.userId)).map(({ block }) => block);
  const states = async (desk: HedgeDesk) => (await desk.hedges()).map(({ state }) => state);

  test('a closed pair is not entered again when z returns to its entry level', async () => {
    const moving = wavingMarket();
    const desk = await tradingDesk(db, moving, { settings: BY_Z });
    const pairId = await desk.addPair();
    await desk.run(1);
    expect(await states(desk)).toEqual([]);
    moving.set('AAAUSDT', 95);
    await desk.run(1);
    expect(await states(desk)).toEqual(['open']);
    await close(desk, (await desk.hedge()).id, moving.clock());
    // The spread comes back for a second and is where it was.
    moving.set('AAAUSDT', 100);
    await desk.run(2);
    moving.set('AAAUSDT', 95);
    await desk.run(3);
    expect(await states(desk)).toEqual(['closed']);
    expect(await desk.pair(pairId)).toMatchObject({ hold: 'closed', heldBy: 'somebody', block: 'closedByHand' });
    await db.transaction((tx) => armPair(tx, asker(desk.userId, moving.clock()), pairId));
    await desk.run(1);
    expect(await states(desk)).toEqual(['closed', 'open']);
    // What a rule closes is as it was.
    moving.set('AAAUSDT', 100);
    await desk.run(2);
    expect(await states(desk)).toEqual(['closed', 'closed']);
    moving.set('AAAUSDT', 95);
    await desk.run(2);
    expect(await states(desk)).toEqual(['closed', 'closed', 'open']);
  });

  test('a freed slot enters no waiting pair before a person confirms it', async () => {
    const moving = handMarket();
    const desk = await tradingDesk(db, moving, { settings: { maxHedges: 1, entry: 'immediate' } });
    await desk.addPair('AAAUSDT', 'BBBUSDT');
    const second = await desk.addPair('CCCUSDT', 'DDDUSDT');
    await desk.run(2);
    expect(await blocks(desk)).toEqual(['open', 'unconfirmed']);
    const confirm = () => db.transaction((tx) => armPair(tx, asker(desk.userId, moving.clock()), second));
    await expect(confirm()).rejects.toThrow('并行对数已满');
    await close(desk, (await desk.hedge()).id, moving.clock());
    await desk.run(5);
    expect(await states(desk)).toEqual(['closed']);
    expect(await blocks(desk)).toEqual(['closedByHand', 'unconfirmed']);
    expect(await desk.pair(second)).toMatchObject({ hold: 'confirm', heldBy: '引擎' });
    // Nor does a raised limit.
    await db.transaction(async (tx) => {
      const { config } = await findDesk(tx, desk.userId);
      return saveOver(tx, asker(desk.userId, 0), config!.version, { ...config!.settings, maxHedges: 5 });
    });
    await desk.run(2);
    expect(await states(desk)).toEqual(['closed']);
    await confirm();
    await desk.run(1);
    expect(await states(desk)).toEqual(['closed', 'open']);
  });

  test('全部平仓 disarms what ran and leaves what waited', async () => {
    const moving = handMarket();
    const desk = await tradingDesk(db, moving, { settings: { ...BY_Z, entryZ: 0.1 } });
    await desk.addPair('AAAUSDT', 'BBBUSDT');
    const other = await tradingDesk(db, moving, { settings: { entry: 'immediate' } });
    await other.addPair('CCCUSDT', 'DDDUSDT');
    await other.run(1);
    await db.transaction((tx) => flattenBook(tx, asker(other.userId, moving.clock())));
    await other.run(3);
    await db.transaction((tx) => resumeBook(tx, asker(other.userId, moving.clock()), 'go on', null));
    await other.run(3);
    expect(await states(other)).toEqual(['closed']);
    expect(await blocks(other)).toEqual(['closedByHand']);
    const [untouched] = await pairsOf(db, desk.userId);
    expect(untouched!.hold).toBeNull();
    await desk.retire();
  });
});
