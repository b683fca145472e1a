import { useMemo, useState } from 'react';
import { DEFAULT_SPREAD, type SpreadParams } from '#contract/kinds/spread/params';
import { type SpreadCandidate, spreadScan } from '#contract/kinds/spread/scan';
import type { StrategyRow } from '#contract/strategies';
import { EmptyState } from '@/components/EmptyState';
import { LateCard } from '@/components/LateCard';
import { late } from '@/components/late';
import { useQueryState } from '@/components/useQueryState';
import { AssumptionBox } from '@/scan/AssumptionBox';
import { MarketPresent } from '@/scan/RowAge';
import { ScanScreen } from '@/scan/ScanScreen';
import { scanCard } from '@/scan/scanCard';
import { SCAN_REFRESH, useScan } from '@/scan/useScan';
import { MARKET, useScreenTab } from '@/scan/useScreenTab';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import type { Draft } from '@/strategy/StrategyDrawer';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { form } from './form';
import { SpreadFilters } from './SpreadFilters';
import { SpreadPast } from './SpreadPast';
import { spreadColumns } from './spreadColumns';
import { SPREAD_DEALS } from './spreadDeals';
import { DIRECTION_LABEL } from './spreadLabels';
import { spreadQuery, toApi } from './spreadQuery';

const SpreadFigures = late(() => import('./SpreadFigures'));

const figures = (strategy: StrategyRow) => (
  <LateCard key={strategy.id} height={240}>
    <SpreadFigures strategy={strategy} />
  </LateCard>
);

const past = ({ source, near, far }: SpreadCandidate) => <SpreadPast {...{ source, near, far }} />;

/** What a phone shows of a row. */
const CARD = {
  beside: ['source', 'type', 'direction'],
  figures: [
    'netFundingApr',
    'netFundingAprAtRate',
    'annualised',
    'basisRate',
    'days',
    'openEdge',
    'z',
    'depth',
    'quotedAt',
  ],
  expanded: past,
};

/** 期货价差: what holding one instrument of a coin against another would make, for every pair of every venue. */
export default function SpreadPage() {
  const [state, change] = useQueryState(spreadQuery.codecs);
  const query = toApi(state);
  const place = useScreenTab();
  const reading = useCall(spreadScan.list, place.tab === MARKET ? { query } : null, SCAN_REFRESH);
  const { list, updatedAt, held, hands } = useScan(reading, 'id', query);
  const { size, days } = state;
  const [draft, setDraft] = useState<Draft<SpreadParams>>();
  const columns = useMemo(() => {
    const plan = ({ source, base, near, far, direction }: SpreadCandidate): Draft<SpreadParams> => ({
      name: `${base} ${DIRECTION_LABEL[direction]}`,
      params: {
        ...DEFAULT_SPREAD,
        source: source as SpreadParams['source'],
        ...{ near, far, direction, legNotional: size, planDays: days },
      },
    });
    return spreadColumns((row) => setDraft(plan(row)));
  }, [size, days]);
  const card = useMemo(() => scanCard(columns, CARD), [columns]);
  return (
    <ScanScreen
      place={place}
      size={state.size}
      onSize={(size) => change({ size })}
      assumptions={
        // How long a pair is held that nothing ends by itself.
        <AssumptionBox
          label="无到期日的组合持有"
          prefix="无到期日持有"
          suffix="天"
          least={1}
          most={365}
          width={168}
          value={state.days}
          onChange={(days) => change({ days }, { replace: true })}
        />
      }
      {...{ updatedAt, held, hands }}
      own={{
        ...{ kind: 'spread', form, fresh: DEFAULT_SPREAD, deals: SPREAD_DEALS, detail: figures },
        ...{ draft, onDraft: setDraft },
      }}
    >
      <MarketPresent at={reading.data?.at} readAt={updatedAt}>
        <ListTable
          name="spread"
          title="期货价差"
          columns={columns}
          rowKey="id"
          list={list}
          readPage={(page) => call(spreadScan.list, { query: { ...query, ...page } })}
          place={state}
          onPlace={change}
          expanded={past}
          card={card}
          filters={<SpreadFilters state={state} change={change} />}
          empty={
            <NoRows of="机会" filtered={spreadQuery.isFiltered(state)} onClear={() => change(spreadQuery.clear)}>
              <EmptyState title="没有可比的组合" description="同一交易所要有同一币种的两种合约，或现货与合约" />
            </NoRows>
          }
        />
      </MarketPresent>
    </ScanScreen>
  );
}
