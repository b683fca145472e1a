import { Suspense } from 'react';
import { type CexRateParams, DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { CEX_RATE_FILTERS, CexRateCandidate, cexRateScan } from '#contract/kinds/cexRate/scan';
import { late } from '@/components/late';
import { atHome } from '@/form/atHome';
import { coinColumn } from '@/scan/coinColumn';
import { feasibilityWords, ObstacleTags } from '@/scan/ObstacleTags';
import { RatePast } from '@/scan/RatePast';
import { ScanPage, scanAhead, scanOf } from '@/scan/ScanPage';
import styles from '@/scan/scan.module.css';
import { scanColumns } from '@/scan/scanColumns';
import { SCAN_REFRESH, useScan } from '@/scan/useScan';
import { venueInRow, venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import { AssumptionBar } from './AssumptionBar';
import { form } from './form';
import { MarginPanel } from './MarginPanel';
import { MatrixPanel } from './MatrixPanel';
import { NoteTags, RATE_NOTE_LABEL } from './NoteTags';
import { matrixQuery, RATE_ASSUMED, type RateState } from './rateQuery';

const RateDeals = late(() => import('./RateDeals'));

function useMatrix(state: RateState, isOpen: boolean) {
  const query = matrixQuery.toApi(state);
  return useScan(useCall(cexRateScan.matrix, isOpen ? { query } : null, SCAN_REFRESH), 'id', query);
}

const RATES = scanOf({
  endpoint: cexRateScan.list,
  filters: CEX_RATE_FILTERS,
  assumed: RATE_ASSUMED,
  assumptions: (told) => <AssumptionBar {...told} />,
  sizeShort: '每腿',
  single: { maxDeals: 1, entryApr: 0, orderType: 'market' },
  sources: ({ long, short }) => [long, short],
  columns: (plan, open) =>
    scanColumns(CexRateCandidate, {
      coin: coinColumn(({ long, longSymbol }) => ({ source: long, perpetual: longSymbol }), {
        tab: 'funding',
        width: 108,
      }),
      deciding: ['long', 'short', 'capitalApr', 'replay7', 'replay30', 'paybackDays', 'fees', 'capacity'],
      own: [
        { key: 'long', width: 84, render: ({ long }) => venueInRow(long) },
        { key: 'short', width: 84, render: ({ short }) => venueInRow(short) },
        { key: 'paybackDays', width: 88 },
        { key: 'fees', width: 104 },
        { key: 'capacity', width: 104 },
        {
          key: 'obstacles',
          width: 140,
          render: ({ obstacles, lacking, notes }) => (
            <span className={styles.tags}>
              <ObstacleTags obstacles={obstacles} lacking={lacking} /> <NoteTags notes={notes} />
            </span>
          ),
          csv: (row) => [...feasibilityWords(row), ...row.notes.map((one) => RATE_NOTE_LABEL[one][0])].join(' '),
        },
      ],
      ...{ plan, open },
    }),
  card: {
    beside: [],
    figures: [
      ...['long', 'short', 'capitalApr', 'replay7', 'replay30', 'paybackDays', 'longRate', 'shortRate', 'capacity'],
    ],
  },
  past: ({ long, longSymbol, short, shortSymbol }) => (
    <RatePast long={{ source: long, symbol: longSymbol }} short={{ source: short, symbol: shortSymbol }} />
  ),
  // At the size and the hours that all rows assume, coming in as they do.
  draftOf: ({ base, long, short }, { size, hours, entry }) => ({
    name: `${base} 多 ${venueLabel(long)} 空 ${venueLabel(short)}`,
    params: {
      ...DEFAULT_CEX_RATE,
      long: long as CexRateParams['long'],
      short: short as CexRateParams['short'],
      coins: [base],
      legNotional: size,
      planHours: Math.max(8, hours),
      maxHoldingHours: Math.max(hours, DEFAULT_CEX_RATE.maxHoldingHours ?? 0),
      orderType: (entry === 'maker' ? 'maker' : 'market') as CexRateParams['orderType'],
    },
  }),
  nothing: ['没有可比的币种', '至少两家交易所要有同一币种的永续'],
  other: {
    key: 'matrix',
    label: '矩阵',
    useRows: useMatrix,
    draw: (list: ReturnType<typeof useMatrix>['list'], told) => <MatrixPanel list={list} {...told} />,
  },
  own: {
    ...{ kind: 'cexRate', form, fresh: atHome(DEFAULT_CEX_RATE) },
    detail: (strategy, done) => (
      <>
        <MarginPanel key={`margin ${strategy.id}`} strategy={strategy} />
        <Suspense fallback={null}>
          <RateDeals key={strategy.id} {...{ strategy, done }} />
        </Suspense>
      </>
    ),
  },
});

/** 跨所费率: what a coin's perpetuals at two venues would make against each other, and what all venues pay. */
export default function CexRatePage() {
  return <ScanPage scan={RATES} />;
}

CexRatePage.ahead = scanAhead(RATES);
