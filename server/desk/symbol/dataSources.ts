import { BAR_MS, isLiveSource, sourceName } from '#contract/candle';
import type { CollectorProgress, DataSourceRow, SourceState } from '#contract/dataSource';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { listSeries, MINUTE, type StoredBar, type StoredSeries } from '../../base/db/markets/candle';
import { type CollectorRow, listCollectors, listSettled } from '../../base/db/markets/collector';
import { listSources } from '../../base/db/markets/instrument';
import { countSamples } from '../../base/db/markets/sample';
import type { DeskDeps } from '../deps';

/** Whoever collects says so more often. */
const SILENT_MS = 2 * MINUTE_MS;
/** A candle that closed just now is on its way, and what failed is asked for again within this time. */
const UNDERWAY_MS = 10 * MINUTE_MS;

/** All that is stored, by where it comes from: exchanges that are followed first. */
export async function dataSources({ db, clock, markets }: Pick<DeskDeps, 'db' | 'clock' | 'markets'>) {
  const [collectors, stored, all] = await Promise.all([listCollectors(db), listSources(db), markets.list()]);
  const collectorOf = new Map(collectors.map((row) => [row.source, row]));
  const followed = all.filter(({ kind }) => kind === 'live').map(({ source }) => source);
  const sources = new Set([...followed, ...collectorOf.keys(), ...stored.map(({ source }) => source)]);
  const now = clock();
  return Promise.all(
    [...sources].map(async (source): Promise<DataSourceRow> => {
      const [series, ofMinutes, settled, samples] = await Promise.all([
        listSeries(db, source),
        listSeries(db, source, [MINUTE]),
        listSettled(db, source),
        countSamples(db, source),
      ]);
      const { candles: minutes, newestAt: minutesAt, gaps: minuteGaps } = storedFigures(ofMinutes);
      const what = { ...storedFigures(series), minutes, minutesAt, minuteGaps, samples };
      const settlements = settled.reduce((sum, { count }) => sum + count, 0);
      const names = { id: source, label: isLiveSource(source) ? sourceName(source) : `导入数据 · ${source}` };
      if (!isLiveSource(source))
        return { ...names, kind: 'imported', state: 'stored', ...what, settlements, ...NOT_COLLECTED };
      const row = collectorOf.get(source);
      return { ...names, kind: 'live', ...what, settlements, ...collected(row, series, now) };
    }),
  );
}

const OUT = '交易所没有应答';
const SILENT = '交易所有应答，但在市的币种都没有报价';

const NOT_COLLECTED = {
  ...{ behind: null, progress: null, streams: null, stale: null, weight: null, delay: null, ahead: null },
  ...{ error: null, errorAt: null, at: null, watched: null, outSince: null },
  ...{ silent: null, maintenanceAt: null, maintenanceUntil: null, maintenance: null },
};

function storedFigures(
  series: readonly StoredSeries<StoredBar>[],
): Pick<DataSourceRow, 'symbols' | 'candles' | 'newestAt' | 'gaps'> {
  let [candles, gaps, newestAt] = [0, 0, 0];
  for (const { bar, count, firstAt, lastAt } of series) {
    candles += count;
    gaps += (lastAt - firstAt) / BAR_MS[bar] + 1 - count;
    newestAt = Math.max(newestAt, lastAt + BAR_MS[bar]);
  }
  const symbols = new Set(series.map(({ symbol }) => symbol)).size;
  return { symbols, candles, gaps, newestAt: newestAt === 0 ? null : newestAt };
}

function collected(row: CollectorRow | undefined, series: readonly StoredSeries[], now: number) {
  const progress = row?.progress ?? null;
  if (row === undefined || progress === null) return { state: 'idle' as const, ...NOT_COLLECTED };
  const { due, done, weightUsed, weightLimit, streams, listed, isOut, isSilent, outSince = null } = progress;
  const whole = Math.floor((now - UNDERWAY_MS) / HOUR_MS) * HOUR_MS;
  const upToDate = series.filter(({ bar, lastAt }) => bar === '1h' && lastAt + HOUR_MS >= whole).length;
  const failing = streams.filter(({ failure }) => failure !== null);
  const names =
    failing.length > 0 ? `，中断：${failing.map(({ name, failure }) => `${name} ${failure}`).join('、')}` : '';
  return {
    state: stateOf(row, progress, now),
    // Of an exchange that has told nothing there is nothing to do, which is not all of it.
    behind: listed === 0 ? null : Math.max(0, listed - upToDate),
    progress: isOut || listed === 0 ? null : due === 0 ? 1 : done / due,
    outSince,
    watched: watchedWords(progress),
    streams: `${streams.length - failing.length} / ${streams.length}${names}`,
    stale: progress.stale,
    silent: silentWords(progress, now),
    ...maintenanceOf(progress, now),
    weight: weightUsed === null || weightLimit === null ? null : weightUsed / weightLimit,
    delay: progress.delayMs,
    ahead: progress.aheadMs,
    ...((isOut || isSilent) && progress.error === null
      ? { error: isOut ? OUT : SILENT, errorAt: outSince }
      : { error: progress.error, errorAt: progress.errorAt }),
    at: progress.at,
  };
}

/** The one that has begun or begins next. */
function maintenanceOf({ maintenance = [] }: CollectorProgress, now: number) {
  const [next] = maintenance.filter(({ until }) => until === null || until > now).sort((a, b) => a.from - b.from);
  return {
    maintenanceAt: next?.from ?? null,
    maintenanceUntil: next?.until ?? null,
    maintenance: next?.title || null,
  };
}

function watchedWords({ watched, unwatched = 0 }: CollectorProgress): string | null {
  if (watched === undefined) return null;
  return unwatched > 0 ? `${watched}（另有 ${unwatched} 个超出上限）` : String(watched);
}

function silentWords({ silent = [], stale }: CollectorProgress, now: number): string | null {
  if (silent.length === 0) return null;
  const words = silent.map(({ symbol, heardAt }) => `${symbol}（${sinceWords(heardAt, now)}）`);
  return words.join('、') + (stale > silent.length ? ` 等 ${stale} 个` : '');
}

function sinceWords(at: number | null, now: number): string {
  if (at === null) return '还没有过';
  const ms = Math.max(0, now - at);
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} 秒`;
  return ms < HOUR_MS ? `${Math.floor(ms / MINUTE_MS)} 分钟` : `${Math.floor(ms / HOUR_MS)} 小时`;
}

function stateOf({ isHeld }: CollectorRow, progress: CollectorProgress, now: number): SourceState {
  const { at, isOut, isSilent, streams, due, done, errorAt } = progress;
  if (!isHeld || now - at > SILENT_MS) return 'idle';
  if (isOut || isSilent) {
    const { maintenanceAt } = maintenanceOf(progress, now);
    if (maintenanceAt !== null && maintenanceAt <= now) return 'maintenance';
    return isOut ? 'out' : 'silent';
  }
  const failed = errorAt !== null && now - errorAt < UNDERWAY_MS;
  if (failed || streams.some(({ failure }) => failure !== null)) return 'degraded';
  return done < due ? 'filling' : 'good';
}
