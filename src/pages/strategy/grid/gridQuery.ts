import { SIMULATED_SOURCES } from '#contract/candle';
import { GRID_MARKETS } from '#contract/kinds/grid/params';
import { GRID_RANGES } from '#contract/kinds/grid/scan';
import { numberCodec, type StateOf, textCodec, wordCodec, yesNoCodec } from '@/components/useQueryState';
import { SCAN_PLACE } from '@/scan/scanPlace';
import { listQuery } from '@/table/listQuery';

/** Everything of the scanner that a reload and a link keep. */
export const gridQuery = listQuery(
  {
    search: textCodec(),
    source: wordCodec(SIMULATED_SOURCES, null),
    market: wordCodec(GRID_MARKETS, null),
    minProfit: numberCodec(null),
    minPairs: numberCodec(null),
    minInRange: numberCodec(null),
    minTurnover: numberCodec(null),
    minDepth: numberCodec(null),
    actionable: yesNoCodec,
  },
  {
    ...SCAN_PLACE,
    size: numberCodec(10_000),
    days: numberCodec(14),
    cells: numberCodec(40),
    range: wordCodec(GRID_RANGES, 'lowHigh'),
  },
);

export type GridState = StateOf<typeof gridQuery.codecs>;

export const toApi = (state: GridState) => ({
  ...gridQuery.toApi(state),
  size: state.size,
  days: state.days,
  cells: state.cells,
  range: state.range,
});
