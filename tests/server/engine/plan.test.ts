import Big from 'big.js';
import { DEFAULT_SETTINGS } from '#contract/hedgeConfig';
import { newHedge } from '#server/engine/book';
import { type HedgeSight, planHedge } from '#server/engine/kinds/hedge';
import type { SymbolView } from '#server/engine/view';
import { termsOf } from '../../support/paperDesk';

const NOW = Date.UTC(2026, 0, 15);

const viewAt = (price: number, turnover24h: number): SymbolView => ({
  price,
  mark: price,
  at: NOW,
  turnover24h,
  fresh: true,
  jumped: false,
  tradable: true,
});

const pair = { id: 'p', source: 'simulated', long: 'AAAUSDT', short: 'BBBUSDT', armedAt: 0, usedArmAt: 0, block: null };

test('a second leg that was filled at other prices before is brought to the cost of the first, not to its quantity', () => {
  const hedge = newHedge(pair, { id: 'h', settings: DEFAULT_SETTINGS, ratio: 1, zOpen: null }, NOW);
  hedge.state = 'opening';
  // 15 coins at 100 were matched by 30 at 50; 15 more came at 96 while the other coin fell to 48.
  Object.assign(hedge.legs.long, { quantity: new Big(30), cost: new Big(2940), midOpen: 98 });
  Object.assign(hedge.legs.short, { quantity: new Big(-30), cost: new Big(-1500), midOpen: 50 });
  const sight: HedgeSight = {
    now: NOW,
    long: viewAt(96, 1e6),
    short: viewAt(48, 1e9),
    terms: { long: termsOf('AAAUSDT'), short: termsOf('BBBUSDT') },
    delisted: { long: false, short: false },
    z: null,
    off: false,
    room: { long: 2000, short: 2000 },
    account: { long: new Big(30), short: new Big(-30) },
  };
  const wish = planHedge(hedge, [], sight);
  expect(wish).toMatchObject({ do: 'send', leg: 'short', purpose: 'entry', adds: true });
  expect(wish?.do === 'send' && wish.quantity.toFixed()).toBe('30');
});
