import { fundingScan } from '#contract/fundingScan';
import { EmptyState } from '@/components/EmptyState';
import { useQueryState } from '@/components/useQueryState';
import { HoursBox } from '@/scan/HoursBox';
import { ScanScreen } from '@/scan/ScanScreen';
import { useScan } from '@/scan/useScan';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { FundingFilters } from './FundingFilters';
import { FUNDING_COLUMNS } from './fundingColumns';
import { fundingQuery, toApi } from './fundingQuery';

const REFRESH_MS = 3_000;

/** 资金费率: what holding a coin against its perpetual would make, for every coin of every venue. */
export default function FundingRatePage() {
  const [state, change] = useQueryState(fundingQuery.codecs);
  const query = toApi(state);
  const reading = useCall(fundingScan.list, { query }, { refreshInterval: REFRESH_MS });
  const { list, updatedAt, held, hands } = useScan(reading, 'id', query);
  return (
    <ScanScreen
      title="资金费率"
      size={state.size}
      onSize={(size) => change({ size })}
      assumptions={<HoursBox value={state.hours} onChange={(hours) => change({ hours }, { replace: true })} />}
      {...{ updatedAt, held, hands }}
    >
      <ListTable
        name="fundingRate"
        title="资金费率"
        columns={FUNDING_COLUMNS}
        rowKey="id"
        list={list}
        readPage={(page) => call(fundingScan.list, { query: { ...query, ...page } })}
        place={state}
        onPlace={change}
        filters={<FundingFilters state={state} change={change} />}
        empty={
          <NoRows of="机会" filtered={fundingQuery.isFiltered(state)} onClear={() => change(fundingQuery.clear)}>
            <EmptyState title="没有可比的币种" description="同一交易所要同时有现货与永续" />
          </NoRows>
        }
      />
    </ScanScreen>
  );
}
