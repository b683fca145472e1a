import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { Direction } from '#contract/evaluate';
import type { Database } from '../../base/db/client';
import { editEvaluation } from '../../base/db/markets/evaluate';
import { findUser } from '../../base/db/users/user';
import { type SelectionRow, selectCoins } from '../../base/maths/selection';
import { mostTraded } from '../../desk/pair/pairChoice';
import type { Instrument, Market } from '../../market/exchange';

/** So many coins have their turn, again and again. */
const COINS = 30;
/** Ends of the stretches of a day (UTC) in which one coin is written about: noon to evening in Beijing. */
const HOURS = [4, 8, 12];
const BENCHMARK = 'BTCUSDT';
/** Closes that the figures of 30 days need, and some for gaps. */
const DAYS_READ = 35;
/** Against BTC, over 30 days: less says nothing. */
const CLEAR = 0.08;
/** Volatility a year beyond which nobody commits himself. */
const WILD = 1.3;

/** The editor writes most of it. */
const AUTHORS = ['editor', 'editor', 'master'] as const;

interface Opinion {
  direction: Direction;
  note: string;
}

const percent = (value: number): string => `${(Math.abs(value) * 100).toFixed(1)}%`;

/** What the figures of a coin lead to. @param turn varies the wording. */
export function opinionOf({ excess30, ret7, vol30, beta30 }: SelectionRow, turn: number): Opinion | null {
  if (excess30 === null || ret7 === null || vol30 === null) return null;
  const [against, week] = [percent(excess30), percent(ret7)];
  const beta = beta30 === null ? '' : `beta ${beta30.toFixed(2)}，`;
  const say = (direction: Direction, notes: readonly string[]): Opinion => ({
    direction,
    note: notes[turn % notes.length]!,
  });
  if (vol30 > WILD) {
    return say('neutral', [
      `年化波动 ${percent(vol30)}，单边风险太大，不做方向判断。`,
      `波动过高（年化 ${percent(vol30)}），配对时每腿名义减半，方向先放中性。`,
    ]);
  }
  if (excess30 >= CLEAR && ret7 >= 0) {
    return say('long', [
      `近 30 日跑赢 BTC ${against}，近一周再涨 ${week}，强势延续，放在多头一边。`,
      `相对 BTC 强 ${against}，${beta}配空同板块弱势币，注意两边敞口。`,
    ]);
  }
  if (excess30 <= -CLEAR && ret7 <= 0) {
    return say('short', [
      `近 30 日落后 BTC ${against}，近一周再跌 ${week}，弱势未止，放在空头一边。`,
      `持续弱于大盘，30 日落后 ${against}，${beta}只作空头腿，不抄底。`,
    ]);
  }
  if (Math.abs(excess30) >= CLEAR) {
    const before = excess30 > 0 ? `30 日跑赢 BTC ${against}` : `30 日落后 BTC ${against}`;
    return say('neutral', [`强弱在换手：${before}，但近一周${ret7 > 0 ? '反弹' : '回落'} ${week}，等方向确认。`]);
  }
  return say('neutral', [
    `与 BTC 的 30 日差距只有 ${against}，没有明显强弱，先观察。`,
    `走势贴着大盘，相对强弱 ${against}，${beta}不适合单独作一边。`,
  ]);
}

interface Writing {
  db: Database;
  market: Market;
}

/** The demo's notes and directions: each said by the figures of its own moment. @returns what writes the ones due at an instant. */
export function storyNotes({ db, market }: Writing): (now: number) => Promise<void> {
  let coins: Instrument[] | undefined;

  return async (now) => {
    const slot = HOURS.indexOf((now % DAY_MS) / HOUR_MS);
    if (slot < 0) return;
    coins ??= (await mostTraded(market)).filter(({ symbol }) => symbol !== BENCHMARK).slice(0, COINS);
    const turn = Math.floor(now / DAY_MS) * HOURS.length + slot;
    const coin = coins[turn % coins.length];
    const author = await findUser(db, AUTHORS[turn % AUTHORS.length]!);
    if (coin === undefined || author === null) return;
    const row = await figuresOf(market, coin, now);
    const opinion = row && opinionOf(row, Math.floor(turn / coins.length));
    if (!opinion) return;
    // Nobody writes on the stroke of the hour.
    const at = now - ((turn * 37) % 200) * MINUTE_MS;
    const price = (await market.tickers(at)).find(({ symbol }) => symbol === coin.symbol)?.price ?? null;
    const edit = { source: market.source, symbol: coin.symbol, authorId: author.id, at, price };
    await editEvaluation(db, { ...edit, change: { field: 'direction', value: opinion.direction } });
    await editEvaluation(db, { ...edit, change: { field: 'note', value: opinion.note } });
  };
}

/** The selection's figures of one coin at an instant. */
async function figuresOf(market: Market, coin: Instrument, now: number): Promise<SelectionRow | undefined> {
  const read = async (symbol: string) => {
    const candles = await market.candles(symbol, '1d', { start: now - DAYS_READ * DAY_MS, end: now });
    const { time, close } = candles ?? { time: new Float64Array(0), close: new Float64Array(0) };
    return { symbol, time, close, turnover24h: null, fundingRate: null, fundingHours: null };
  };
  const both = await Promise.all([coin.symbol, BENCHMARK].map(read));
  return selectCoins(both, BENCHMARK).rows.find(({ symbol }) => symbol === coin.symbol);
}
