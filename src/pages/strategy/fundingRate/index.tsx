import { DEFAULT_FUNDING, type FundingParams } from '#contract/kinds/fundingRate/params';
import { FUNDING_FILTERS, FundingCandidate, fundingScan } from '#contract/kinds/fundingRate/scan';
import { LateCard } from '@/components/LateCard';
import { late } from '@/components/late';
import { boundedCodec, numberCodec } from '@/components/useQueryState';
import { atHome } from '@/form/atHome';
import { HeldBox } from '@/scan/AssumptionBox';
import { BasisPast } from '@/scan/BasisPast';
import { coinColumn } from '@/scan/coinColumn';
import { RatePast } from '@/scan/RatePast';
import { ScanPage, scanAhead, scanOf } from '@/scan/ScanPage';
import { scanColumns } from '@/scan/scanColumns';
import { form } from './form';
import { FUNDING_DEALS } from './fundingDeals';

const FundingTotals = late(() => import('./FundingTotals'));
const FundingHeat = late(() => import('./FundingHeat'));

/** What is held for so long has to pay back within it. */
const PLANNED_HOURS = 168;

const FUNDING = scanOf({
  endpoint: fundingScan.list,
  filters: FUNDING_FILTERS,
  usual: { minApr: 0.05, maxBreakEvenHours: PLANNED_HOURS },
  assumed: { hours: boundedCodec(numberCodec(PLANNED_HOURS), { minimum: 1, maximum: 8760 }) },
  assumptions: ({ state, change }) => (
    <HeldBox
      prefix="计划持有"
      width={136}
      hours={state.hours}
      onChange={(hours) => change({ hours }, { replace: true })}
    />
  ),
  single: { maxDeals: 1, coinCap: null, entryApr: 0, slices: 1 },
  columns: (plan, open) =>
    scanColumns(FundingCandidate, {
      coin: coinColumn((row) => row, { tab: 'funding' }),
      deciding: ['source', 'direction', 'capitalApr', 'replay7', 'replay30', 'mean7Apr', 'entryCost', 'depth'],
      own: [
        { key: 'entryCost', width: 116 },
        { key: 'depth', width: 100 },
      ],
      ...{ plan, open },
    }),
  card: {
    beside: ['source', 'direction'],
    figures: [
      ...['capitalApr', 'replay7', 'replay30', 'predictedRate', 'hours', 'nextAt'],
      ...['breakEvenHours', 'entryCost', 'depth'],
    ],
  },
  // What the perpetual pays the side that is held, and how it stands above spot.
  past: ({ source, spot, perpetual, direction }) => (
    <>
      <RatePast {...{ [direction === 'carry' ? 'short' : 'long']: { source, symbol: perpetual } }} />
      <BasisPast {...{ source, near: spot, far: perpetual }} />
    </>
  ),
  draftOf: ({ source, base }, { size, hours }) => ({
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
  }),
  nothing: ['没有可比的币种', '同一交易所要同时有现货与永续'],
  below: ({ source }) => (
    <LateCard height={420}>
      <FundingHeat source={source ?? undefined} />
    </LateCard>
  ),
  own: {
    ...{ kind: 'fundingRate', form, fresh: atHome(DEFAULT_FUNDING), deals: FUNDING_DEALS },
    above: (
      <LateCard height={310} onPhone={439}>
        <FundingTotals />
      </LateCard>
    ),
  },
});

/** 资金费率: what holding a coin against its perpetual would make, for every coin of every venue. */
export default function FundingRatePage() {
  return <ScanPage scan={FUNDING} />;
}

FundingRatePage.ahead = scanAhead(FUNDING);
