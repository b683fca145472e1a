import type { HedgeBacktest } from '#contract/backtest';
import { HOUR_MS } from '#contract/duration';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { fillsOf, type HedgeRecord } from '../../base/db/hedges/hedge';
import { returnOnNotional } from '../../base/maths/hedge';
import type { DeskDeps } from '../../desk/deps';
import { type Compute, type CoveredRun, coveredRuns } from '../../desk/statistic/coveredRuns';
import type { PairRunAnswer, RunSize } from '../../desk/statistic/pairRuns';
import { liveRows } from './liveRows';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'pairModels'>;
type Rows = HedgeBacktest['rows'];
type Figures = { [K in keyof Rows]: number | null };

const NOTHING: Figures = {
  ...{ net: null, netReturn: null, longPnl: null, shortPnl: null, funding: null },
  ...{ fees: null, slippage: null, heldHours: null, mae: null, mfe: null },
};

/**
 * A hedge beside the backtest of its pair with the notionals it was opened with, its leverage, its period and the cost
 * rates it paid. Price results carry their slippage in both, so that net = prices + funding - fees in both.
 */
export async function hedgeBacktest(
  deps: Needs,
  compute: Compute,
  record: HedgeRecord,
  now: number,
): Promise<HedgeBacktest> {
  const [row] = await liveRows(deps, [record], now);
  if (row === undefined) throw new Error('a hedge has no row');
  const running = !HEDGE_ENDS.includes(record.state);
  const size = await sizeOf(deps, record);
  const run = await runOf(deps, compute, record, size, running ? now : (record.closedAt ?? record.stateAt));
  const covered = typeof run === 'string' ? null : run;
  const tested = covered === null ? NOTHING : testedFigures(covered.result, size, running);
  const rows = Object.keys(NOTHING).map((key) => {
    const [live, backtest] = [row[key as keyof Figures], tested[key as keyof Figures]];
    return [key, { live, backtest, gap: live === null || backtest === null ? null : live - backtest }];
  });
  return {
    ...{ at: now, why: typeof run === 'string' ? run : null, running },
    inputs: covered && inputsOf(covered, size),
    rows: Object.fromEntries(rows) as Rows,
  };
}

/** The rates that it paid, over all that it has traded so far. */
async function sizeOf({ db }: Needs, record: HedgeRecord): Promise<RunSize> {
  const fills = await fillsOf(db, record.id);
  const traded = fills.reduce((sum, { fill }) => sum + Number(fill.quantity) * Number(fill.price), 0);
  const rateOf = (paid: string) => (traded > 0 ? Math.max(0, Number(paid)) / traded : 0);
  return {
    longNotional: Number(record.longNotional),
    shortNotional: Number(record.shortNotional),
    leverage: record.settings.leverage,
    fee: rateOf(record.fees),
    slippage: rateOf(record.slippage),
  };
}

async function runOf({ markets }: Needs, compute: Compute, record: HedgeRecord, size: RunSize, endedAt: number) {
  const { source, long, short, openedAt } = record;
  if (openedAt === null || !(size.longNotional > 0 && size.shortNotional > 0)) return 'tooShort';
  const [run] = await coveredRuns(markets, compute, [{ source, long, short, openedAt, endedAt, size }]);
  return run ?? 'tooShort';
}

function inputsOf({ bar, result }: CoveredRun, size: RunSize): HedgeBacktest['inputs'] {
  const { start, end, fundingMissing, liquidated } = result;
  return { bar, start, end, ...size, fundingMissing, liquidated };
}

/** While the hedge runs its backtest is valued, not closed: the exit costs neither of them anything yet. */
function testedFigures(result: PairRunAnswer, { fee, slippage, ...size }: RunSize, running: boolean): Figures {
  const { long, short, start, end, mae, mfe, shortfall } = result;
  const tradedBy = ({ entered, left }: PairRunAnswer['long']) => entered + (running ? 0 : left);
  const traded = tradedBy(long) + tradedBy(short);
  const longPnl = long.price - tradedBy(long) * slippage;
  const shortPnl = short.price - tradedBy(short) * slippage;
  const funding = long.funding + short.funding;
  const net = longPnl + shortPnl + funding - traded * fee + shortfall;
  return {
    ...{ net, longPnl, shortPnl, funding, fees: traded * fee, slippage: traded * slippage, mae, mfe },
    netReturn: returnOnNotional(net, size.longNotional + size.shortNotional),
    heldHours: (end - start) / HOUR_MS,
  };
}
