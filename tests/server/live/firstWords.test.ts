import { randomUUID } from 'node:crypto';
import * as codes from '#contract/codes';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { PAIR_WARNINGS } from '#contract/pair';
import { strategies } from '#contract/strategies';
import { account } from '#server/base/db/schema';
import { openMissingAccounts } from '#server/desk/account/openAccount';
import { createLive } from '#server/market/live/live';
import { createMarkets } from '#server/market/markets';
import { createSimulatedVenues } from '#server/market/simulated';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyBinance } from '../../support/badLine';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { fileDatabase } from '../../support/testDatabase';
import { tradingApp } from '../../support/tradingApp';

const SOURCE = 'binance-live';
const PAIR = { long: 'BTCUSDT', short: 'ETHUSDT', accepts: [...PAIR_WARNINGS] };

const db = await fileDatabase();
const clock = clockFrom(QUIET_START);
const venues = createSimulatedVenues({ clock });
const standIn = await startStandIn({ dialects: ['binance'], venues, clock });
atEnd(() => standIn.close());
const line = await badLineTo(standIn.url, onlyBinance('BTCUSDT', 'ETHUSDT', 'BTCUSDT_261225'));
atEnd(() => line.close());
const live = createLive({
  ...{ db, clock, exchanges: ['binance'], urls: { binance: line.url }, onTrouble: () => undefined },
  times: { ping: 150, again: 50, longest: 200, firstPrices: 500, firstBook: 20_000 },
});
const markets = createMarkets({ db, clock, live: live.markets, isSimulated: false });
const { app, venue } = await tradingApp({ markets, clock, wait: () => undefined }, {}, { db });
atEnd(() => live.stop());
const master = app.as('master');
const keyed = () => ({ 'idempotency-key': randomUUID() });

test('who asks of an exchange that has told nothing yet is told so, and served as soon as it has', async () => {
  await openMissingAccounts({ db, clock, markets, venue });
  // Where nothing is simulated a first account is at the first exchange that is followed.
  expect((await db.select({ venue: account.venue }).from(account)).map((first) => first.venue)).toContain(SOURCE);
  const settings = { ...DEFAULT_SETTINGS, source: SOURCE, legNotional: 1_000 };
  expect((await master(hedgeConfig.create, { body: settings })).body.code).toBe(200);
  line.refuses = () => 503;
  live.start();

  const unheard = { code: codes.sourceUnheard.code, message: `${codes.sourceUnheard.message}：币安 · 实时` };
  expect((await master(hedgeConfig.addPair, { body: PAIR, headers: keyed() })).body).toMatchObject(unheard);
  const params = { ...DEFAULT_SPREAD, source: SOURCE, near: 'BTCUSDT', far: 'BTCUSDT_261225' };
  const preview = () => master(strategies.preview, { body: { kind: 'spread', params } });
  expect((await preview()).body).toMatchObject(unheard);

  line.refuses = () => null;
  // It is opened again within a second, and whoever asks waits for half of one.
  let answer = await preview();
  for (let i = 0; i < 100 && answer.body.code === codes.sourceUnheard.code; i += 1) answer = await preview();
  expect(answer.body.code).toBe(200);
  expect((await master(hedgeConfig.addPair, { body: PAIR, headers: keyed() })).body.code).toBe(200);
  expect(
    (await master(hedgeConfig.addPair, { body: { ...PAIR, long: 'NOPEUSDT' }, headers: keyed() })).body,
  ).toMatchObject({ code: codes.unknownSymbol.code });
});
