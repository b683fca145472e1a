import type { AccountPosition, AccountRisk } from '#contract/account';
import { neutralityOf } from '../../base/maths/hedge';
import { defined } from '../../base/maths/statistics';
import { symbolKey } from '../../base/symbolKey';

interface RiskInput {
  /** null: the venue could not be asked, and nothing is known. */
  positions: readonly AccountPosition[] | null;
  /** USDT; null where the account cannot be valued. */
  equity: number | null;
  /** F23. */
  marginRatio: number | null;
  /** 30-day beta to BTC by `symbolKey`. */
  betas: ReadonlyMap<string, number | null>;
}

const UNKNOWN: AccountRisk = {
  marginRatio: null,
  leverage: null,
  gross: null,
  net: null,
  neutrality: null,
  betaExposure: null,
  withoutBeta: [],
  nearest: null,
  largest: null,
};

/** F10, F17 and F23 over the positions that the venue holds. */
export function riskOf({ positions, equity, marginRatio, betas }: RiskInput): AccountRisk {
  if (positions === null) return UNKNOWN;
  const held = positions.filter(({ quantity }) => Number(quantity) !== 0);
  if (held.some(({ notional }) => notional === null)) return { ...UNKNOWN, marginRatio };
  const values = held.map((row) => ({ row, value: Math.sign(Number(row.quantity)) * Number(row.notional) }));
  const sumOf = (side: 'long' | 'short') =>
    values.reduce((sum, { row, value }) => (row.side === side ? sum + value : sum), 0);
  const [long, short] = [sumOf('long'), sumOf('short')];
  const gross = long - short;
  const withoutBeta = held.filter((row) => (betas.get(symbolKey(row)) ?? null) === null).map(({ symbol }) => symbol);
  const weighted = values.reduce((sum, { row, value }) => sum + value * (betas.get(symbolKey(row)) ?? 0), 0);
  return {
    marginRatio,
    leverage: equity !== null && equity > 0 ? defined(gross / equity) : null,
    gross,
    net: long + short,
    neutrality: neutralityOf(long, short),
    betaExposure: withoutBeta.length === 0 ? weighted : null,
    withoutBeta,
    nearest: nearestOf(held),
    largest: largestOf(held, gross),
  };
}

function nearestOf(held: readonly AccountPosition[]): AccountRisk['nearest'] {
  const reachable = held.flatMap(({ symbol, liquidationPrice: price, liquidationDistance: distance }) =>
    price === null || distance === null ? [] : [{ symbol, price, distance }],
  );
  return reachable.sort((a, b) => a.distance - b.distance)[0] ?? null;
}

function largestOf(held: readonly AccountPosition[], gross: number): AccountRisk['largest'] {
  const [first] = [...held].sort((a, b) => Number(b.notional) - Number(a.notional));
  return first && gross > 0 ? { symbol: first.symbol, share: Number(first.notional) / gross } : null;
}
