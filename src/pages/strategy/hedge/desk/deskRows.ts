import { HedgePair } from '#contract/kinds/hedge/config';
import { HedgeRow } from '#contract/kinds/hedge/desk';
import { type DeskState, toApi } from './deskQuery';

type Figures = Omit<{ [K in keyof (HedgeRow & HedgePair)]: (HedgeRow & HedgePair)[K] | null }, keyof Named>;
type Named = Pick<HedgeRow, 'id' | 'pairId' | 'long' | 'short' | 'source'>;

/** A pair, with what is held of it, or a hedge that has ended: every figure of both, as far as there is one. */
export interface DeskRow extends Named, Figures {
  pair: HedgePair | null;
  hedge: HedgeRow | null;
}

const BLANK = Object.fromEntries(
  [HedgePair, HedgeRow].flatMap(({ properties }) => Object.keys(properties)).map((key) => [key, null]),
) as unknown as DeskRow;

/** What was there when the hedge was opened stands before what the pair says now. */
export const deskRow = (pair: HedgePair | null, hedge: HedgeRow | null): DeskRow => ({
  ...BLANK,
  ...(pair && { ...pair, id: pair.pairId }),
  ...hedge,
  pair,
  hedge,
});

/** Whether a pair may be opened by the engine, without a person. */
const isArmed = ({ block, held }: HedgePair): boolean => held === null && block !== 'used' && block !== 'unarmed';

/** What is held, what is on its way in or out, what may be opened, and what waits for a person, in this order. */
const rankOf = ({ pair, hedge }: DeskRow): number =>
  hedge === null ? (pair && isArmed(pair) ? 2 : 3) : hedge.state === 'open' && !hedge.closeAsked ? 0 : 1;

/** Whether a pair of which nothing is held passes the filter: what a hedge alone has keeps it out. */
function passes(pair: HedgePair, state: DeskState): boolean {
  const { symbol, side, pairId, start, end, pnl, hasNote } = toApi(state);
  const asksHedge = [start, end, pnl, hasNote].some((asked) => asked !== undefined);
  const symbols = side === undefined ? [pair.long, pair.short] : [pair[side]];
  return (
    (pairId === undefined || pair.pairId === pairId) && (symbol === undefined || symbols.includes(symbol)) && !asksHedge
  );
}

/** The hedges that run, each with its pair, and the pairs of which nothing is held. */
export function deskRows(pairs: readonly HedgePair[], hedges: readonly HedgeRow[], state: DeskState): DeskRow[] {
  const pairOf = (id: string) => pairs.find(({ pairId }) => pairId === id) ?? null;
  const isHeld = ({ pairId }: HedgePair) => hedges.some((hedge) => hedge.pairId === pairId);
  return [
    ...hedges.map((hedge) => deskRow(pairOf(hedge.pairId), hedge)),
    ...pairs.filter((pair) => !isHeld(pair) && passes(pair, state)).map((pair) => deskRow(pair, null)),
  ];
}

export const openFirst = (rows: readonly DeskRow[]): DeskRow[] => rows.toSorted((a, b) => rankOf(a) - rankOf(b));
