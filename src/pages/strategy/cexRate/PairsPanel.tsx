import { useMemo } from 'react';
import type { CexRateCandidate } from '#contract/kinds/cexRate/scan';
import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { EmptyState } from '@/components/EmptyState';
import { RatePast } from '@/scan/RatePast';
import { scanCard } from '@/scan/scanCard';
import { call } from '@/services/call';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import type { Listed } from '@/table/useListed';
import { PairFilters } from './PairFilters';
import { pairColumns } from './pairColumns';
import { type ChangeRates, type RateState, rateQuery, toPairs } from './rateQuery';

interface PairsPanelProps {
  list: Listed<CexRateCandidate>;
  state: RateState;
  change: ChangeRates;
  /** Makes a strategy of a row. */
  plan: (row: CexRateCandidate) => void;
}

const past = ({ long, longSymbol, short, shortSymbol }: CexRateCandidate) => (
  <RatePast long={{ source: long, symbol: longSymbol }} short={{ source: short, symbol: shortSymbol }} />
);

/** What a phone shows of a row. */
const CARD = {
  beside: [],
  figures: [
    'long',
    'short',
    'netApr',
    'netAprAtRate',
    'longRate',
    'shortRate',
    'rateGap',
    'paybackDays',
    'capacity',
    'replay',
  ],
  expanded: past,
};

/** 机会: each coin at each two venues. */
export function PairsPanel({ list, state, change, plan }: PairsPanelProps) {
  const columns = useMemo(() => pairColumns(plan), [plan]);
  const card = useMemo(() => scanCard(columns, CARD), [columns]);
  return (
    <ListTable
      name="cexRate"
      title="跨所费率"
      columns={columns}
      rowKey="id"
      list={list}
      readPage={(page) => call(cexRateScan.list, { query: { ...toPairs(state), ...page } })}
      place={state}
      onPlace={change}
      expanded={past}
      card={card}
      filters={<PairFilters state={state} change={change} />}
      empty={
        <NoRows of="机会" filtered={rateQuery.isFiltered(state)} onClear={() => change(rateQuery.clear)}>
          <EmptyState title="没有可比的币种" description="至少两家交易所要有同一币种的永续" />
        </NoRows>
      }
    />
  );
}
