/** Where a file of candles keeps what; column numbers from 0. */
export interface CandleLayout {
  kind: 'candles';
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** `null` where the file has none: it is then estimated from volume and prices. */
  turnover: number | null;
  columns: number;
  hasHeader: boolean;
}

/** Where a file of settled funding keeps what. */
export interface FundingLayout {
  kind: 'funding';
  time: number;
  rate: number;
  /** `null` where the file has none: its name says it. */
  symbol: number | null;
  columns: number;
  hasHeader: true;
}

const NAMES = {
  time: ['timestamp', 'opentime', 'time', 'unix', 'datetime', 'date'],
  open: ['open', 'openprice'],
  high: ['high', 'highprice'],
  low: ['low', 'lowprice'],
  close: ['close', 'closeprice'],
  volume: ['volume', 'vol', 'basevolume', 'volumebase'],
  turnover: ['turnover', 'quotevolume', 'quoteassetvolume', 'volumequote', 'amount'],
} as const;
const FUNDING_NAMES = {
  time: ['fundingtime', 'fundingratetimestamp', 'calctime', ...NAMES.time],
  rate: ['fundingrate', 'lastfundingrate', 'realizedrate', 'rate'],
  symbol: ['symbol', 'instid', 'contract'],
} as const;

const BINANCE_COLUMNS = 12;
const isNumber = (cell: string) => cell.trim() !== '' && Number.isFinite(Number(cell));

/** Reads the first row of a file; `null` when it is one of neither candles nor funding. */
export function layoutOf(first: readonly string[]): CandleLayout | FundingLayout | null {
  if (isNumber(first[0] ?? '')) {
    // Binance's public klines come without a header; nothing else without one can be told apart safely.
    if (first.length !== BINANCE_COLUMNS || !first.every(isNumber)) return null;
    return {
      kind: 'candles',
      time: 0,
      open: 1,
      high: 2,
      low: 3,
      close: 4,
      volume: 5,
      turnover: 7,
      columns: 12,
      hasHeader: false,
    };
  }
  const words = first.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''));
  const find = (names: readonly string[]) =>
    names.map((name) => words.indexOf(name)).find((column) => column >= 0) ?? -1;
  const at = {
    time: find(NAMES.time),
    open: find(NAMES.open),
    high: find(NAMES.high),
    low: find(NAMES.low),
    close: find(NAMES.close),
    volume: find(NAMES.volume),
  };
  if (Object.values(at).some((column) => column < 0)) {
    const [time, rate, symbol] = [FUNDING_NAMES.time, FUNDING_NAMES.rate, FUNDING_NAMES.symbol].map(find);
    if (time! < 0 || rate! < 0) return null;
    const columns = first.length;
    return {
      kind: 'funding',
      time: time!,
      rate: rate!,
      symbol: symbol! < 0 ? null : symbol!,
      columns,
      hasHeader: true,
    };
  }
  const turnover = find(NAMES.turnover);
  return { kind: 'candles', ...at, turnover: turnover < 0 ? null : turnover, columns: first.length, hasHeader: true };
}
