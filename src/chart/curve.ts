/** How the figures of a curve read: `percent` and `rate` are fractions shown with 2 and 4 digits of per cent. */
export type FigureFormat = 'price' | 'percent' | 'rate' | 'amount' | 'number' | 'ratio';

/** Colours a curve may ask for; each follows the theme and the colour habit. */
export type CurveColor = 'blue' | 'orange' | 'purple' | 'cyan' | 'gold' | 'magenta' | 'muted' | 'up' | 'down';

/** What a candle tells beside its close; as long as the chart's `time`. */
export interface Extent {
  open: readonly (number | null)[];
  high: readonly (number | null)[];
  low: readonly (number | null)[];
}

/** One named series over the time of its chart. */
export interface Curve {
  /** What the legend and the text summary call it. */
  name: string;
  /** As long as the chart's `time`; `null` leaves a gap. */
  values: readonly (number | null)[];
  /** What legend and summary tell where that is not what is drawn, as for stacked bars. */
  figures?: readonly (number | null)[];
  /**
   * `baseline` and `histogram` take the up colour above `base` and the down colour below; `area` is filled between curve
   * and `base` in its own; `bare` is not drawn, and carries levels and marks alone; `candle` is drawn by `extent`, with the
   * values as its closes. Default: `line`.
   */
  shape?: 'line' | 'area' | 'baseline' | 'histogram' | 'bare' | 'candle';
  /** Of `candle`. */
  extent?: Extent;
  /** Default: the next colour of the palette. */
  color?: CurveColor;
  /** Default: `number`. */
  format?: FigureFormat;
  /** Shown after the figure in legend and summary, for instance `USDT`. */
  unit?: string;
  /** 0 is the top pane; panes are stacked and share the time axis. */
  pane?: number;
  /** `left` gives the curve a scale of its own. Default: `right`. */
  scale?: 'left' | 'right';
  /** Of `baseline`, `area` and `histogram`. Default: 0. */
  base?: number;
  dashed?: boolean;
  /** A finer line, over which candles stay readable. */
  thin?: boolean;
  /** Its name and newest figure stand on its axis. */
  labelled?: boolean;
}

/** A horizontal line with a name, for instance +2 of a z curve. */
export interface Level {
  /** Stands on the axis with the value; empty for one of many, which is a line alone. */
  name: string;
  value: number;
  pane?: number;
}

/** Something that happened, drawn as an arrow with a word on the first curve of a pane. */
export interface Mark {
  at: number;
  text: string;
  /** Default: `muted`. */
  color?: CurveColor;
  /** Which side of the curve it points from. Default: `below`. */
  side?: 'above' | 'below';
  pane?: number;
}

/** An instant that matters, drawn as a line from top to bottom with its name and date; it may lie ahead of the curves. */
export interface Moment {
  at: number;
  name: string;
  /** Default: `muted`. */
  color?: CurveColor;
}

/** A straight line between two prices at two instants, UTC ms, such as a purchase and its sale. */
export interface Join {
  from: number;
  fromValue: number;
  to: number;
  toValue: number;
  color: CurveColor;
}

/** What the viewer traded on one side within one bar. */
export interface Traded {
  /** Within the bar, UTC ms. */
  time: number;
  side: 'buy' | 'sell';
  mode: 'paper' | 'live';
  fills: number;
  quantity: number;
  /** Average. */
  price: number;
}

/** From when to when a deal of the viewer holds a symbol, UTC ms; `null`: it still does. */
export interface Holding {
  /** A grid holds a symbol on both sides. */
  dealId: string;
  from: number;
  to: number | null;
  side: 'long' | 'short';
}

/** What the viewer did with a symbol. */
export interface OwnTrades {
  /** Ascending in time. */
  fills: readonly Traded[];
  spans: readonly Holding[];
}

/** Bars that a chart of bars shows at first: the newest ones, each still to be told apart. */
export const LATEST_BARS = 150;

/** Visible part of the time axis, UTC ms. */
export interface ChartRange {
  from: number;
  to: number;
}
