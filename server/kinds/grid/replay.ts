import { DAY_MS } from '#contract/duration';
import type { GridReplay } from '#contract/kinds/grid/deal';
import { type GridParams, isSpotGrid } from '#contract/kinds/grid/params';
import { refused } from '../../base/http/refusal';
import { noteAt } from '../../base/maths/gridLadder';
import { gridReplay } from '../../base/maths/gridReplay';
import type { DeskDeps } from '../../desk/deps';

const BAR = '1h';
const YEAR_DAYS = 365;

/** A grid over the hours of the last days as if it had run. @throws `noCandles`; `strategyCoin` */
export async function replayOf(
  { markets, venue, clock }: Pick<DeskDeps, 'markets' | 'venue' | 'clock'>,
  params: GridParams,
  days: number,
): Promise<GridReplay> {
  const { source, symbol, legNotional, leverage } = params;
  const market = await markets.get(source);
  const terms = await venue.terms(source, symbol);
  if (market === undefined || terms === undefined) throw refused('strategyCoin', symbol, 'params.symbol');
  const start = clock() - days * DAY_MS;
  const [hours, settled] = await Promise.all([
    market.candles(symbol, BAR, { start }),
    market.funding(symbol, { start }),
  ]);
  if (hours === null || hours.time.length === 0) throw refused('noCandles', symbol, 'params.symbol');
  const none = new Float64Array();
  const capital = legNotional / leverage;
  const isSpot = isSpotGrid(params);
  const {
    away: _,
    net: made,
    ...replay
  } = gridReplay({
    rules: params,
    hours,
    settlements: settled ?? { time: none, rate: none },
    noteAt: (price) => noteAt(params, terms, price),
    ...{ makerFee: terms.makerFee, takerFee: terms.takerFee, capital },
    ...{ inCoin: isSpot, startsFree: isSpot && params.invest === 'base' },
  });
  const { startedAt, time } = replay;
  const net = made.at(-1) ?? 0;
  const lasted = startedAt === null ? 0 : ((time.at(-1) ?? startedAt) - startedAt) / DAY_MS;
  const funding = isSpot ? null : replay.funding;
  return { ...replay, funding, net, netCurve: made, apr: lasted < 1 ? null : ((net / capital) * YEAR_DAYS) / lasted };
}
