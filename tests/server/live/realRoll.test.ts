import { spreadDesk } from '#contract/kinds/spread/desk';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { codeOf, termsAt } from '#server/market/simulated/quarters';
import { QUIET_START } from '../../support/clockFrom';
import { PERPETUAL, payRate, REAL_PATIENCE_MS } from '../../support/realCarry';
import { realStrategy } from '../../support/realStrategy';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();
const [near, later] = termsAt(QUIET_START).map((term) => `${PERPETUAL}_${codeOf(term)}`) as [string, string];
const spread = await realStrategy(db, {
  kind: 'spread',
  at: ['bybit'],
  symbols: [near, PERPETUAL!, later],
  params: {
    ...{ ...DEFAULT_SPREAD, source: 'bybit-live', near: PERPETUAL!, far: near, direction: 'buyFar', entryApr: 0 },
    ...{ legNotional: 2_000, slippageCap: 100, exitLevel: null, stopLoss: null, dailyLossLimit: null },
  },
});

beforeAll(async () => {
  await payRate(db, spread.places[0]!.exchange, 'bybit-live', 0.003);
  await spread.open();
}, 2 * REAL_PATIENCE_MS);

test('a roll that the cap of the account does not bear is refused before anything is sent', async () => {
  const { call } = spread.owner;
  const id = await spread.started();
  await spread.until(id, 'open');
  const deal = (await spread.dealsOf(id))[0]!.id;
  expect((await call(spreadDesk.rollQuote, { query: { id: deal } })).data.refusal).toMatch(/名义上限/);
  expect((await call(spreadDesk.roll, { body: { id: deal } })).message).toMatch(/名义上限/);
  expect(await spread.dealsOf(id)).toHaveLength(1);
  expect(await spread.end(id)).toEqual([]);
});
