import { Tabs } from 'antd';
import { Suspense, useCallback, useState } from 'react';
import { type CexRateParams, DEFAULT_CEX_RATE } from '#contract/cexRate';
import { type CexRateCandidate, cexRateScan } from '#contract/cexRateScan';
import { late } from '@/components/late';
import { useQueryState } from '@/components/useQueryState';
import { ScanScreen } from '@/scan/ScanScreen';
import { SCAN_REFRESH, useScan } from '@/scan/useScan';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import type { Draft } from '@/strategy/StrategyDrawer';
import { StrategyPanel } from '@/strategy/StrategyPanel';
import { AssumptionBar } from './AssumptionBar';
import { form } from './form';
import { MarginPanel } from './MarginPanel';
import { MatrixPanel } from './MatrixPanel';
import styles from './matrix.module.css';
import { PairsPanel } from './PairsPanel';
import { matrixQuery, type RateState, rateQuery, TABS, type Tab, toPairs } from './rateQuery';

const RateDeals = late(() => import('./RateDeals'));

const TAB_LABEL: Record<Tab, string> = { pairs: '机会', matrix: '矩阵' };

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
  const onMatrix = state.tab === 'matrix';
  const query = toPairs(state);
  const matrix = matrixQuery.toApi(state);
  const pairs = useScan(useCall(cexRateScan.list, onMatrix ? null : { query }, SCAN_REFRESH), 'id', query);
  const rates = useScan(useCall(cexRateScan.matrix, onMatrix ? { query: matrix } : null, SCAN_REFRESH), 'base', matrix);
  const { updatedAt, held, hands } = onMatrix ? rates : pairs;
  const { size, hours, entry } = state;
  const [draft, setDraft] = useState<Draft<CexRateParams>>();
  const plan = useCallback(
    ({ base, long, short }: CexRateCandidate) => setDraft(draftOf({ base, long, short }, { size, hours, entry })),
    [size, hours, entry],
  );
  return (
    <ScanScreen
      kind="cexRate"
      sizeShort="每腿"
      {...(!onMatrix && { size: state.size, onSize: (size: number) => change({ size }) })}
      assumptions={!onMatrix && <AssumptionBar {...{ state, change }} />}
      {...{ updatedAt, held, hands }}
      below={
        <StrategyPanel
          kind="cexRate"
          form={form}
          fresh={DEFAULT_CEX_RATE}
          draft={draft}
          onDraft={setDraft}
          detail={(strategy, done) => (
            <>
              <MarginPanel key={`margin ${strategy.id}`} strategy={strategy} />
              <Suspense fallback={null}>
                <RateDeals key={strategy.id} {...{ strategy, done }} />
              </Suspense>
            </>
          )}
        />
      }
    >
      <Tabs
        className={styles.tabs}
        activeKey={state.tab}
        items={TABS.map((key) => ({ key, label: TAB_LABEL[key] }))}
        onChange={(key) => change({ tab: key as Tab, sort: '', current: 1 })}
      />
      {onMatrix ? (
        <MatrixPanel list={rates.list} {...{ state, change }} />
      ) : (
        <PairsPanel list={pairs.list} {...{ state, change, plan }} />
      )}
    </ScanScreen>
  );
}
