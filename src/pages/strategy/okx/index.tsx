import { arbitrageScan } from '#contract/arbitrageScan';
import { EmptyState } from '@/components/EmptyState';
import { useQueryState } from '@/components/useQueryState';
import { ScanScreen } from '@/scan/ScanScreen';
import { useScan } from '@/scan/useScan';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { ArbitrageFilters } from './ArbitrageFilters';
import { ARBITRAGE_COLUMNS } from './arbitrageColumns';
import { arbitrageQuery, toApi } from './arbitrageQuery';

/** Half of what stands apart is gone after six seconds. */
const REFRESH_MS = 1_000;

/** 交易所套利: what a coin bought at one venue and sold at another would make, for every two venues that list it. */
export default function ArbitragePage() {
  const [state, change] = useQueryState(arbitrageQuery.codecs);
  const query = toApi(state);
  const reading = useCall(arbitrageScan.list, { query }, { refreshInterval: REFRESH_MS });
  const { list, updatedAt, held, hands } = useScan(reading, 'id', query);
  return (
    <ScanScreen
      title="交易所套利"
      size={state.size}
      onSize={(size) => change({ size })}
      {...{ updatedAt, held, hands }}
    >
      <ListTable
        name="arbitrage"
        title="交易所套利"
        columns={ARBITRAGE_COLUMNS}
        rowKey="id"
        list={list}
        readPage={(page) => call(arbitrageScan.list, { query: { ...query, ...page } })}
        place={state}
        onPlace={change}
        filters={<ArbitrageFilters state={state} change={change} />}
        empty={
          <NoRows of="机会" filtered={arbitrageQuery.isFiltered(state)} onClear={() => change(arbitrageQuery.clear)}>
            <EmptyState title="没有可比的币种" description="要有两个交易所都有它的现货" />
          </NoRows>
        }
      />
    </ScanScreen>
  );
}
