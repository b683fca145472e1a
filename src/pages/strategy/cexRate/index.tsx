import { Suspense, useCallback, useRef, useState } from 'react';
import { type CexRateParams, DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { type CexRateCandidate, cexRateScan } from '#contract/kinds/cexRate/scan';
import { late } from '@/components/late';
import { useQueryState } from '@/components/useQueryState';
import { ScanScreen } from '@/scan/ScanScreen';
import { SCAN_REFRESH, useScan } from '@/scan/useScan';
import { MARKET, MINE, useScreenTab } from '@/scan/useScreenTab';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import type { Draft } from '@/strategy/StrategyDrawer';
import { AssumptionBar } from './AssumptionBar';
import { form } from './form';
import { MarginPanel } from './MarginPanel';
import { MatrixPanel } from './MatrixPanel';
import { PairsPanel } from './PairsPanel';
import { matrixQuery, type RateState, rateQuery, toPairs } from './rateQuery';

const RateDeals = late(() => import('./RateDeals'));

const MATRIX = 'matrix';
const MARKETS = [
  { key: MARKET, label: '机会' },
  { key: MATRIX, label: '矩阵' },
];

/** A strategy of a row, at the size and the hours that all rows assume, coming in as they do. */
const draftOf = (
  { base, long, short }: Pick<CexRateCandidate, 'base' | 'long' | 'short'>,
  { size, hours, entry }: Pick<RateState, 'size' | 'hours' | 'entry'>,
): Draft<CexRateParams> => ({
  name: `${base} ${venueLabel(long)}多${venueLabel(short)}空`,
  params: {
    ...DEFAULT_CEX_RATE,
    long: long as CexRateParams['long'],
    short: short as CexRateParams['short'],
    coins: [base],
    legNotional: size,
    planHours: Math.max(8, hours),
    maxHoldingHours: Math.max(hours, DEFAULT_CEX_RATE.maxHoldingHours ?? 0),
    orderType: entry === 'maker' ? 'maker' : 'market',
  },
});

/** 跨所费率: what a coin's perpetuals at two venues would make against each other, and what all venues pay. */
export default function CexRatePage() {
  const [state, change] = useQueryState(rateQuery.codecs);
  const place = useScreenTab([MARKET, MATRIX]);
  const onMatrix = place.tab === MATRIX;
  const query = toPairs(state);
  const matrix = matrixQuery.toApi(state);
  const pairs = useScan(useCall(cexRateScan.list, place.tab === MARKET ? { query } : null, SCAN_REFRESH), 'id', query);
  const rates = useScan(useCall(cexRateScan.matrix, onMatrix ? { query: matrix } : null, SCAN_REFRESH), 'base', matrix);
  const { updatedAt, held, hands } = onMatrix ? rates : pairs;
  const { size, hours, entry } = state;
  const [draft, setDraft] = useState<Draft<CexRateParams>>();
  const plan = useCallback(
    ({ base, long, short }: CexRateCandidate) => setDraft(draftOf({ base, long, short }, { size, hours, entry })),
    [size, hours, entry],
  );
  // Order and page are of the market that was seen last.
  const last = useRef(onMatrix ? MATRIX : MARKET);
  const turn = (to: string) => {
    place.turn(to);
    if (to === MINE) return;
    if (to !== last.current) change({ sort: '', current: 1 }, { replace: true });
    last.current = to;
  };
  return (
    <ScanScreen
      place={{ ...place, turn }}
      markets={MARKETS}
      sizeShort="每腿"
      {...(!onMatrix && { size: state.size, onSize: (size: number) => change({ size }) })}
      assumptions={!onMatrix && <AssumptionBar {...{ state, change }} />}
      {...{ updatedAt, held, hands }}
      own={{
        ...{ kind: 'cexRate', form, fresh: DEFAULT_CEX_RATE, draft, onDraft: setDraft },
        detail: (strategy, done) => (
          <>
            <MarginPanel key={`margin ${strategy.id}`} strategy={strategy} />
            <Suspense fallback={null}>
              <RateDeals key={strategy.id} {...{ strategy, done }} />
            </Suspense>
          </>
        ),
      }}
    >
      {onMatrix ? (
        <MatrixPanel list={rates.list} {...{ state, change }} />
      ) : (
        <PairsPanel list={pairs.list} {...{ state, change, plan }} />
      )}
    </ScanScreen>
  );
}
