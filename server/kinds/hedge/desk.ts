import Big from 'big.js';
import { DEFAULT_SETTINGS, type HedgeDesk, type HedgePair, type HedgeSettings } from '#contract/kinds/hedge/config';
import { LEGS, PAIR_BLOCKS, type PairBlock } from '#contract/lifecycle';
import { holdingsOf } from '../../base/db/accounts/ledger';
import { bookOf, killSwitchOf } from '../../base/db/books/book';
import { type HedgeRecord, runningHedges } from '../../base/db/hedges/hedge';
import { findDesk, type PairRow, standingPairs } from '../../base/db/hedges/hedgeConfig';
import { heldOf } from '../../base/db/strategies/target';
import { lossLimitOf, NO_DAY, runningDay } from '../../base/maths/dayBoundary';
import { fundingApr } from '../../base/maths/funding';
import { nettedByCoin } from '../../base/maths/hedge';
import { pairWarnings } from '../../base/maths/pair';
import { dayPnl, isLimitHolding } from '../../desk/account/accountFacts';
import { equityOf } from '../../desk/account/holdings';
import { marksIn } from '../../desk/account/marks';
import { pauseOf } from '../../desk/account/stops';
import type { DeskDeps } from '../../desk/deps';
import { dayResultOf } from '../../desk/strategy/strategyLoss';
import { type MarketNow, marketsNow } from '../../desk/symbol/marketNow';
import { type PairModel, ratioBy, zNow } from '../../engine/pairModel';
import { pairPrice } from './liveRows';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'pairModels'>;

/** What a user's desk is made of, read once. */
export async function deskState({ db, markets }: Pick<DeskDeps, 'db' | 'markets'>, userId: string, now: number) {
  const [desk, book, pairs, records, holdings] = await Promise.all([
    findDesk(db, userId),
    bookOf(db, userId),
    standingPairs(db, userId),
    runningHedges(db, userId),
    holdingsOf(db, userId),
  ]);
  const sources = await marketsNow(
    markets,
    [...pairs, ...records, ...holdings.filter(({ quantity }) => Number(quantity) !== 0)].map(({ source }) => source),
    now,
  );
  const exact = holdings.map(({ cash, quantity, ...of }) => ({
    ...of,
    cash: new Big(cash),
    quantity: new Big(quantity),
  }));
  const equity = equityOf(exact, marksIn(sources));
  const pnl = dayPnl(book, equity && Number(equity), now);
  const day = runningDay(book ?? NO_DAY, now);
  return { ...desk, book, pairs, records, sources, day, pnl, hit: isLimitHolding(book, pnl, now) };
}

/** Settings, switches and pairs of a user, with live figures. */
export async function hedgeDesk(deps: Needs, userId: string, now: number): Promise<HedgeDesk> {
  const [state, all] = await Promise.all([deskState(deps, userId, now), killSwitchOf(deps.db)]);
  const { config, enabled, switchedAt, switchedBy, book, pairs, records, sources, day, pnl, hit } = state;
  const settings = config?.settings ?? DEFAULT_SETTINGS;
  const onPaper = records.filter(({ mode }) => mode === 'paper');
  return {
    settings: config?.settings ?? null,
    version: config?.version ?? 0,
    updatedAt: config?.updatedAt ?? null,
    updatedBy: config?.updatedBy ?? null,
    enabled,
    switchedAt,
    switchedBy,
    paused: pauseOf(book?.pausedAt, book?.pausedBy, book?.pauseReason),
    pausedForAll: pauseOf(all?.pausedAt, all?.pausedBy, all?.reason),
    unvalued: book?.unvalued ?? null,
    tripped: state.tripped,
    trippedAt: state.tripped === null ? null : state.guard!.trippedAt,
    day,
    dayPnl: pnl,
    accountLimit: book?.dailyLossLimit ?? null,
    loss: await lossOf(deps, state, now),
    lossLimitHit: hit,
    running: records.length,
    // Real money nets nothing that is on paper.
    coins: nettedByCoin(onPaper.flatMap((record) => coinValues(record, sources.get(record.source)))),
    pairs: await Promise.all(
      pairs.map(async (pair) => {
        const now = sources.get(pair.source);
        return pairRow(pair, settings, now, await modelOf(deps, pair, settings, now), heldBy(pair, records));
      }),
    ),
  };
}

/** How much of the strategy's own daily loss limit is used. */
async function lossOf(
  deps: Pick<DeskDeps, 'db' | 'markets'>,
  { id, guard, config, book }: Awaited<ReturnType<typeof deskState>>,
  now: number,
): Promise<HedgeDesk['loss']> {
  const result =
    id === null || config === null ? null : await dayResultOf(deps, id, { guard, ...(book ?? NO_DAY) }, now);
  const limit = lossLimitOf(config?.settings ?? null, guard?.dailyLoss ?? null);
  // Adding 0 turns the -0 of a day that brought nothing into 0.
  const used = result === null ? null : Math.max(0, -result) + 0;
  return { result, used, limit, share: used === null || limit === null ? null : used / limit };
}

/** What a hedge holds of the coins of its legs. */
function coinValues(record: HedgeRecord, now: MarketNow | undefined) {
  const prices = now && pairPrice(now, record);
  return LEGS.map((leg) => {
    const quantity = Number(record[`${leg}Quantity`]);
    const mark = prices?.[leg]?.mark;
    const coin = now?.instruments.get(record[leg])?.base ?? record[leg];
    return { coin, dealId: record.id, value: quantity === 0 ? 0 : mark === undefined ? null : quantity * mark };
  });
}

const heldBy = ({ id }: PairRow, records: readonly HedgeRecord[]): HedgeRecord | null =>
  records.find(({ pairId }) => pairId === id) ?? null;

/** What the closed bars say of a pair. */
export async function modelOf(
  { pairModels }: Pick<DeskDeps, 'pairModels'>,
  { long, short }: Pick<PairRow, 'long' | 'short'>,
  { zBar, zWindow }: Pick<HedgeSettings, 'zBar' | 'zWindow'>,
  now: MarketNow | undefined,
) {
  return now === undefined ? null : pairModels.of(now.market, { long, short, bar: zBar, window: zWindow });
}

export const isBlock = (word: string | null): word is PairBlock =>
  (PAIR_BLOCKS as readonly (string | null)[]).includes(word);

function aprOf(now: MarketNow | undefined, symbol: string): number | null {
  const rate = now?.tickers.get(symbol)?.fundingRate ?? null;
  return fundingApr(rate, now?.instruments.get(symbol)?.fundingHours ?? null);
}

/** A standing pair with its figures by the closed bars (`model`) and the present prices; `held`: its running hedge. */
function pairRow(
  pair: PairRow,
  settings: HedgeSettings,
  now: MarketNow | undefined,
  model: PairModel | null,
  held: HedgeRecord | null,
): HedgePair {
  const { long, short } = pairPrice(now, pair);
  const z = zNow(model, long, short);
  const aprLong = aprOf(now, pair.long);
  const aprShort = aprOf(now, pair.short);
  return {
    pairId: pair.id,
    source: pair.source,
    long: pair.long,
    short: pair.short,
    createdAt: pair.createdAt,
    triggeredAt: pair.triggeredAt,
    block: isBlock(pair.block) ? pair.block : null,
    held: heldOf(pair),
    hedgeId: held?.id ?? null,
    longPrice: long?.price ?? null,
    shortPrice: short?.price ?? null,
    ratio: held?.ratio ?? ratioBy(settings.ratio, model),
    hedgeRatio: model?.hedgeRatio ?? null,
    z,
    zBar: model?.bar ?? null,
    zBars: model?.bars ?? null,
    warnings: model === null ? [] : pairWarnings(model, held === null ? z : held.zOpen),
    correlation: model?.correlation ?? null,
    betaLong: model?.betaLong ?? null,
    betaShort: model?.betaShort ?? null,
    halfLifeHours: model?.halfLifeHours ?? null,
    adfP: model?.adfP ?? null,
    rSquared: model?.rSquared ?? null,
    fundingAprDifference: aprLong === null || aprShort === null ? null : aprShort - aprLong,
  };
}
