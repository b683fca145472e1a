import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { BodyOf } from '#contract/endpoint';
import { shareOf, type TwinResults, type TwinSide } from '#contract/liveReadiness';
import type { strategies } from '#contract/strategies';
import type { StrategyMode, StrategyState } from '#contract/strategy';
import type { Queries } from '../../base/db/client';
import { type StrategyRow, twinOf } from '../../base/db/strategies/strategy';
import { dealsSince, ledgerDaysOf } from '../../base/db/strategies/strategyFigures';
import { firstStartOf } from '../../base/db/strategies/strategyGuard';
import { notFound, refused } from '../../base/http/refusal';
import { ledgerMoney } from '../../base/maths/decimal';
import type { DeskDeps } from '../deps';
import { mustOwn } from './strategyIntents';
import { capitalDays, meanCapital } from './strategyOverview';
import { strategySums } from './strategySums';
import { marksThen, type Steps, trackOf } from './strategyTrack';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'clock'>;

const MOST_POINTS = 120;
const STEPS = [HOUR_MS, 4 * HOUR_MS, DAY_MS, 7 * DAY_MS];

const isReal = ({ mode }: { mode: string }) => mode === ('live' satisfies StrategyMode);

/** What a strategy with real money is to be held against. @throws 404 for what is not the caller's; `strategyTwin` unless it is of that kind, on paper and stays */
export async function twinFor(
  db: Queries,
  userId: string,
  { kind, mode, twin }: Pick<BodyOf<typeof strategies.create>, 'kind' | 'mode' | 'twin'>,
): Promise<{ twinId?: string }> {
  if (twin === undefined) return {};
  const row = await mustOwn(db, userId, twin);
  if (!isReal({ mode }) || isReal(row) || row.kind !== kind || row.single !== null) {
    throw refused('strategyTwin', '', 'twin');
  }
  return { twinId: row.id };
}

/** A strategy with real money beside the one on paper that it was made from, since it was first started. @throws 404 for one that has no other */
export async function twinResults(deps: Needs, row: StrategyRow): Promise<TwinResults> {
  const { db } = deps;
  const other = await twinOf(db, row);
  if (other === null) throw notFound('没有对照的策略');
  const [live, paper] = isReal(row) ? [row, other] : [other, row];
  const now = deps.clock();
  const startedAt = await firstStartOf(db, live.id);
  const time = startedAt === null ? [] : instants(startedAt, now);
  const [ofLive, ofPaper] = await Promise.all([sideOf(deps, live, time), sideOf(deps, paper, time)]);
  return { at: now, startedAt, share: shareOf(live.params!, paper.params!), time, live: ofLive, paper: ofPaper };
}

/** From an instant to now, both in it, with whole steps of the clock in between. */
function instants(from: number, now: number): number[] {
  const step = stepOf(from, now);
  const first = (Math.floor(from / step) + 1) * step;
  const between = Math.max(0, Math.ceil((now - first) / step));
  return [from, ...Array.from({ length: between }, (_none, i) => first + i * step), now];
}

const stepOf = (from: number, now: number): number =>
  STEPS.find((step) => now - from <= MOST_POINTS * step) ?? STEPS.at(-1)!;

async function sideOf(deps: Needs, row: StrategyRow, time: readonly number[]): Promise<TwinSide> {
  const { id, name, state, removedAt } = row;
  const told = { id, name, state: state as StrategyState, removed: removedAt !== null };
  const [from, now] = [time[0], time.at(-1)!];
  if (from === undefined) return { ...told, values: [], net: null, capital: null, heldDays: 0, deals: 0, carried: 0 };
  const [before, held, deals] = await Promise.all([
    netUntil(deps, id, time),
    capitalDays(deps, [id], now, from),
    dealsSince(deps.db, id, from),
  ]);
  const capital = meanCapital(held.get(id));
  const sums = [...before, (await strategySums(deps, [id], now)).get(id)!.net];
  const made = sums.map((sum) => (sum === null || sums[0] == null ? null : ledgerMoney(sum - sums[0])));
  return {
    ...told,
    values: made.map((net) => (net === null || capital === null ? null : net / capital)),
    ...{ net: made.at(-1)!, capital, heldDays: held.get(id)?.days ?? 0, ...deals },
  };
}

/** Net PnL since its beginning at each of these instants but the last, USDT. */
async function netUntil(needs: Needs, id: string, time: readonly number[]): Promise<(number | null)[]> {
  const [from, ...between] = time.slice(0, -1);
  const [first, last] = [between[0], between.at(-1)];
  const step = stepOf(from!, time.at(-1)!);
  const parts = await Promise.all([
    netAt(needs, id, { from: from!, to: from!, step }),
    first === undefined ? [] : netAt(needs, id, { from: first, to: last!, step }),
  ]);
  return parts.flat();
}

/** The same at instants so far apart; 0 before anything was booked. */
async function netAt({ db, markets }: Needs, id: string, steps: Steps): Promise<(number | null)[]> {
  const { from, to, step } = steps;
  const rows = await ledgerDaysOf(db, [id], { since: 0, from: from - step, until: to, step });
  const begun = Math.min(...rows.map(({ day }) => day + step));
  const track = await trackOf(rows, steps, marksThen(markets));
  return track.map((net, i) => (from + i * step < begun ? 0 : net));
}
