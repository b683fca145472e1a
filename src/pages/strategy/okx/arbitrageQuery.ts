import { SIMULATED_SOURCES } from '#contract/candle';
import { flagCodec, numberCodec, type StateOf, textCodec, wordCodec, yesNoCodec } from '@/components/useQueryState';
import { SCAN_PLACE } from '@/scan/scanPlace';
import { listQuery } from '@/table/listQuery';

/** Everything of the scanner that a reload and a link keep. */
export const arbitrageQuery = listQuery(
  {
    search: textCodec(),
    buy: wordCodec(SIMULATED_SOURCES, null),
    sell: wordCodec(SIMULATED_SOURCES, null),
    minNetBps: numberCodec(null),
    minProfit: numberCodec(null),
    minHeldSeconds: numberCodec(null),
    transferable: flagCodec,
    stocked: flagCodec,
    actionable: yesNoCodec,
  },
  { ...SCAN_PLACE, size: numberCodec(10_000) },
);

export type ArbitrageState = StateOf<typeof arbitrageQuery.codecs>;

export const toApi = (state: ArbitrageState) => ({ ...arbitrageQuery.toApi(state), size: state.size });
