import { evaluate } from '#contract/evaluate';
import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { gridScan } from '#contract/kinds/grid/scan';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { spreadScan } from '#contract/kinds/spread/scan';
import { MOST_STARS, star } from '#contract/star';
import { createSimulatedVenues } from '#server/market/simulated';
import { fileApp, type Who } from '../support/app';
import { handMarkets } from '../support/handMarket';

const NOW = Date.UTC(2026, 2, 10, 9, 12, 34);
const venues = createSimulatedVenues({ clock: () => NOW });
const markets = handMarkets(...venues);
const app = await fileApp({ markets, clock: () => NOW });

const add = (who: Who, ...coins: string[]) => app.as(who)(star.add, { body: { coins } });
const coinsOf = async (who: Who) => (await app.as(who)(star.list)).body.data.coins;

describe('the watch list', () => {
  test('is kept for its owner, by name; a coin is in it once', async () => {
    await add('trader', 'SOL', '我踏马来了');
    expect((await add('trader', 'BTC', 'SOL', 'BTC')).body.data.coins).toEqual(['BTC', 'SOL', '我踏马来了']);
    expect(await coinsOf('trader')).toEqual(['BTC', 'SOL', '我踏马来了']);
    expect(await coinsOf('editor')).toEqual([]);
    expect((await app.as('editor')(star.remove, { body: { coin: 'BTC' } })).body.data.coins).toEqual([]);
    expect((await app.as('trader')(star.remove, { body: { coin: 'SOL' } })).body.data.coins).toEqual([
      'BTC',
      '我踏马来了',
    ]);
  });

  test('holds so many, of which not one more is added, not even together with a known one', async () => {
    const coins = Array.from({ length: MOST_STARS }, (_, i) => `C${i}`);
    expect((await add('editor', ...coins)).body.data.coins).toHaveLength(MOST_STARS);
    expect((await add('editor', 'C1')).body.code).toBe(200);
    expect((await add('editor', 'C1', 'ONEMORE')).body.code).toBe(8021);
    expect(await coinsOf('editor')).toHaveLength(MOST_STARS);
    expect(await coinsOf('editor')).not.toContain('ONEMORE');
  });
});

describe('a list of the market shows the watched coins alone', () => {
  test('the selection, for visitors among the rows that they may see', async () => {
    const { data } = (await app.as('trader')(evaluate.list, { query: { coins: 'BTC,SOL,NOSUCH' } })).body;
    expect(data.list.map(({ base }) => base).toSorted()).toEqual(['BTC', 'SOL']);
    expect(data.total).toBe(2);
    expect((await app.as('trader')(evaluate.list, { query: { coins: '' } })).body.data.total).toBe(0);
    const all = (await app.as('trader')(evaluate.list, { query: { pageSize: 200 } })).body.data.list;
    const [first, last] = [all[0]!.base, all.at(-1)!.base];
    const seen = (await app.as('visitor')(evaluate.list, { query: { coins: `${first},${last}` } })).body.data;
    expect(seen.list.map(({ base }) => base)).toEqual([first]);
  });

  test.each([
    ['资金费率', fundingScan.list],
    ['跨所费率', cexRateScan.list],
    ['期货价差', spreadScan.list],
    ['交易所套利', arbitrageScan.list],
    ['花式网格', gridScan.list],
  ])('%s, which says how many rows that keeps away', async (_name, list) => {
    const { data } = (await app.as('master')(list as typeof fundingScan.list, { query: { coins: 'ETH' } })).body;
    expect(new Set(data.list.map(({ base }) => base))).toEqual(new Set(['ETH']));
    expect(data.hidden).toEqual([{ filter: 'coins', rows: data.all - data.total }]);
  });

  test('the matrix of rates', async () => {
    const { data } = (await app.as('master')(cexRateScan.matrix, { query: { coins: 'ETH,SOL' } })).body;
    expect(data.list.map(({ base }) => base).toSorted()).toEqual(['ETH', 'SOL']);
  });
});
