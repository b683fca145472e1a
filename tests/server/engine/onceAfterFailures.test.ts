import { SECOND_MS } from '#contract/duration';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { tradeOnce } from '#server/kinds/okx/routes';
import type { BookLevel } from '#server/market/exchange';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 8, 1, 4, 30) + 960 * SECOND_MS;
const db = await fileDatabase();

test('what a person asks to be traded once is traded, however often the venue refused before', async () => {
  const box = { refuse: false };
  const params = { ...DEFAULT_OKX, coins: ['GRASS'], hedge: false, auto: false, legNotional: 300, stockNotional: 2000 };
  const faults = { reject: () => box.refuse };
  const desk = await strategyDesk(db, simulatedMarket(START), 'okx', params, { second: 100_000, venue: { faults } });
  await desk.run(8);
  // Everything is cheaper at a venue from now on, by a hundredth.
  const venue = desk.venues[1]!;
  const book = venue.book!.bind(venue);
  const shifted = (levels: readonly BookLevel[]) =>
    levels.map(({ ticks, lots }) => ({ ticks: Math.round(ticks * 0.99), lots }));
  venue.book = (symbol, at) => {
    const now = book(symbol, at);
    return now && { ...now, bids: shifted(now.bids), asks: shifted(now.asks) };
  };
  const trades = async () =>
    (await desk.deals()).filter(({ opening }) => !(opening as { isStock: boolean }).isStock).map(({ state }) => state);
  const once = async () => {
    await desk.ask((tx, by) => tradeOnce(tx, by, desk.id));
    await desk.run(35);
  };
  box.refuse = true;
  for (let i = 0; i < 5; i += 1) await once();
  expect((await trades()).every((state) => state === 'failed')).toBe(true);
  const before = (await trades()).length;
  box.refuse = false;
  await once();
  const blocks = (await desk.targets()).map(({ block }) => block);
  expect({ blocks, traded: (await trades()).slice(before) }).toMatchObject({ traded: ['closed'] });
});
