import type { HedgePair, HedgeSettings } from '#contract/kinds/hedge/config';
import { PAIR_BLOCKS, type PairBlock } from '#contract/lifecycle';
import type { HedgeRecord } from '../../base/db/hedges/hedge';
import type { PairRow } from '../../base/db/hedges/hedgeConfig';
import { heldOf } from '../../base/db/strategies/target';
import { fundingApr } from '../../base/maths/funding';
import { pairWarnings } from '../../base/maths/pairWarnings';
import type { MarketNow } from '../../desk/symbol/marketNow';
import { type PairModel, ratioBy, zNow } from '../../engine/pairModel';
import { pairPrice } from './liveRows';

const isBlock = (word: string | null): word is PairBlock => (PAIR_BLOCKS as readonly (string | null)[]).includes(word);

function aprOf(now: MarketNow | undefined, symbol: string): number | null {
  const rate = now?.tickers.get(symbol)?.fundingRate ?? null;
  return fundingApr(rate, now?.instruments.get(symbol)?.fundingHours ?? null);
}

/** A standing pair with its figures by the closed bars (`model`) and the present prices; `held`: its running hedge. */
export function pairRow(
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
    ratio: ratioBy(settings.ratio, model),
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
