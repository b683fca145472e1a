import { spreadScan } from '#contract/spreadScan';
import { EmptyState } from '@/components/EmptyState';
import { useQueryState } from '@/components/useQueryState';
import { AssumptionBox } from '@/scan/AssumptionBox';
import { ScanScreen } from '@/scan/ScanScreen';
import { useScan } from '@/scan/useScan';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { SpreadFilters } from './SpreadFilters';
import { SPREAD_COLUMNS } from './spreadColumns';
import { spreadQuery, toApi } from './spreadQuery';

const REFRESH_MS = 3_000;

/** 期货价差: what holding one instrument of a coin against another would make, for every pair of every venue. */
export default function SpreadPage() {
  const [state, change] = useQueryState(spreadQuery.codecs);
  const query = toApi(state);
  const reading = useCall(spreadScan.list, { query }, { refreshInterval: REFRESH_MS });
  const { list, updatedAt, held, hands } = useScan(reading, 'id', query);
  return (
    <ScanScreen
      title="期货价差"
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
    >
      <ListTable
        name="spread"
        title="期货价差"
        columns={SPREAD_COLUMNS}
        rowKey="id"
        list={list}
        readPage={(page) => call(spreadScan.list, { query: { ...query, ...page } })}
        place={state}
        onPlace={change}
        filters={<SpreadFilters state={state} change={change} />}
        empty={
          <NoRows of="机会" filtered={spreadQuery.isFiltered(state)} onClear={() => change(spreadQuery.clear)}>
            <EmptyState title="没有可比的组合" description="同一交易所要有同一币种的两种合约，或现货与合约" />
          </NoRows>
        }
      />
    </ScanScreen>
  );
}
