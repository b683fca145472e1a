import { useMemo, useState } from 'react';
import { DEFAULT_FUNDING, type FundingParams } from '#contract/kinds/fundingRate/params';
import { type FundingCandidate, fundingScan } from '#contract/kinds/fundingRate/scan';
import { LateCard } from '@/components/LateCard';
import { late } from '@/components/late';
import { useQueryState } from '@/components/useQueryState';
import { BasisPast } from '@/scan/BasisPast';
import { HoursBox } from '@/scan/HoursBox';
import { RatePast } from '@/scan/RatePast';
import { ScanScreen } from '@/scan/ScanScreen';
import { scanCard } from '@/scan/scanCard';
import { SCAN_REFRESH, useScan } from '@/scan/useScan';
import { MARKET, useScreenTab } from '@/scan/useScreenTab';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import type { Draft } from '@/strategy/StrategyDrawer';
import { ListTable } from '@/table/ListTable';
import { FundingFilters } from './FundingFilters';
import { form } from './form';
import { fundingColumns } from './fundingColumns';
import { FUNDING_DEALS } from './fundingDeals';
import { fundingQuery, toApi } from './fundingQuery';
import { NoCandidates } from './NoCandidates';

const FundingTotals = late(() => import('./FundingTotals'));
const FundingHeat = late(() => import('./FundingHeat'));

/** What the perpetual pays the side that is held, and how it stands above spot. */
const past = ({ source, spot, perpetual, direction }: FundingCandidate) => (
  <>
    <RatePast {...{ [direction === 'carry' ? 'short' : 'long']: { source, symbol: perpetual } }} />
    <BasisPast {...{ source, near: spot, far: perpetual }} />
  </>
);

/** What a phone shows of a row. */
const CARD = {
  beside: ['source', 'direction'],
  figures: [
    'netApr',
    'netAprAtRate',
    'predictedRate',
    'hours',
    'nextAt',
    'mean7Apr',
    'breakEvenHours',
    'entryCost',
    'depth',
  ],
  expanded: past,
};

/** 资金费率: what holding a coin against its perpetual would make, for every coin of every venue. */
export default function FundingRatePage() {
  const [state, change] = useQueryState(fundingQuery.codecs);
  const query = toApi(state);
  const place = useScreenTab();
  const reading = useCall(fundingScan.list, place.tab === MARKET ? { query } : null, SCAN_REFRESH);
  const { list, updatedAt, held, hands } = useScan(reading, 'id', query);
  const { size, hours } = state;
  const [draft, setDraft] = useState<Draft<FundingParams>>();
  const columns = useMemo(() => {
    const plan = ({ source, base }: FundingCandidate): Draft<FundingParams> => ({
      name: `${base} 资金费`,
      params: {
        ...DEFAULT_FUNDING,
        source: source as FundingParams['source'],
        coins: [base],
        legNotional: size,
        coinCap: Math.max(size, DEFAULT_FUNDING.coinCap ?? 0),
        planHours: hours,
        maxHoldingHours: Math.max(hours, DEFAULT_FUNDING.maxHoldingHours ?? 0),
      },
    });
    return fundingColumns((row) => setDraft(plan(row)));
  }, [size, hours]);
  const card = useMemo(() => scanCard(columns, CARD), [columns]);
  return (
    <ScanScreen
      place={place}
      size={state.size}
      onSize={(size) => change({ size })}
      assumptions={<HoursBox value={state.hours} onChange={(hours) => change({ hours }, { replace: true })} />}
      {...{ updatedAt, held, hands }}
      own={{
        ...{ kind: 'fundingRate', form, fresh: DEFAULT_FUNDING, deals: FUNDING_DEALS, draft, onDraft: setDraft },
        above: (
          <LateCard height={260}>
            <FundingTotals />
          </LateCard>
        ),
      }}
      below={
        <LateCard height={420}>
          <FundingHeat source={state.source ?? undefined} />
        </LateCard>
      }
    >
      <ListTable
        name="fundingRate"
        title="资金费率"
        columns={columns}
        rowKey="id"
        list={list}
        readPage={(page) => call(fundingScan.list, { query: { ...query, ...page } })}
        place={state}
        onPlace={change}
        expanded={past}
        card={card}
        filters={<FundingFilters state={state} change={change} />}
        empty={<NoCandidates all={reading.data?.all ?? 0} hidden={reading.data?.hidden ?? []} {...{ state, change }} />}
      />
    </ScanScreen>
  );
}
