import { Select } from 'antd';
import { useMemo, useState } from 'react';
import { gridDeal } from '#contract/kinds/grid/deal';
import { DEFAULT_GRID, type GridParams } from '#contract/kinds/grid/params';
import { GRID_RANGES, type GridCandidate, gridScan } from '#contract/kinds/grid/scan';
import { EmptyState } from '@/components/EmptyState';
import { useQueryState } from '@/components/useQueryState';
import { AssumptionBox } from '@/scan/AssumptionBox';
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
import { GridDetail } from './GridDetail';
import { GridFilters } from './GridFilters';
import { gridColumns } from './gridColumns';
import { GRID_DEALS } from './gridDeals';
import { RANGE_LABEL } from './gridLabels';
import { gridQuery, toApi } from './gridQuery';
import { ownColumns } from './ownColumns';

const REFRESH_MS = 3_000;
const RANGES = GRID_RANGES.map((value) => ({ value, label: RANGE_LABEL[value] }));

/** What a phone shows of a row. */
const CARD = {
  beside: ['market', 'source'],
  figures: ['gridApr', 'dailyPairs', 'profit', 'price', 'inRange', 'width', 'position'],
  wide: ['position'],
};

/** No range fits every price: it is typed, or filled in by the hours of the pair. */
const FRESH = { ...DEFAULT_GRID, lower: undefined, upper: undefined } as unknown as GridParams;

/** 花式网格: which coins move between two prices, and the grids that trade them. */
export default function GridPage() {
  const [state, change] = useQueryState(gridQuery.codecs);
  const query = toApi(state);
  const place = useScreenTab();
  const reading = useCall(gridScan.list, place.tab === MARKET ? { query } : null, SCAN_REFRESH);
  const { list, updatedAt, held, hands } = useScan(reading, 'id', query);
  const grids = useCall(gridDeal.list, place.tab === MARKET ? null : {}, { refreshInterval: REFRESH_MS }).data;
  const { size, cells } = state;
  const [draft, setDraft] = useState<Draft<GridParams>>();
  const columns = useMemo(() => {
    const plan = ({ source, base, market, symbol, lower, upper }: GridCandidate): Draft<GridParams> => ({
      name: `${base} ${market === 'spot' ? '现货网格' : '网格'}`,
      params: {
        ...FRESH,
        source: source as GridParams['source'],
        ...(market === 'spot' && ({ direction: 'long', leverage: 1 } as const)),
        ...{ market, symbol },
        // Not known while its hours are being read.
        ...(lower !== null && upper !== null && { lower, upper }),
        ...{ cells, maxOrders: Math.min(cells, DEFAULT_GRID.maxOrders), legNotional: size },
      },
    });
    return gridColumns((row) => setDraft(plan(row)));
  }, [size, cells]);
  const rows = useMemo(() => new Map(grids?.list.map((row) => [row.strategyId, row])), [grids]);
  const own = useMemo(() => ownColumns(rows), [rows]);
  const card = useMemo(() => scanCard(columns, CARD), [columns]);
  return (
    <ScanScreen
      place={place}
      size={state.size}
      sizeLabel="网格名义"
      onSize={(size) => change({ size })}
      assumptions={
        <>
          <Select
            aria-label="区间算法"
            options={RANGES}
            value={state.range}
            onChange={(range) => change({ range })}
            popupMatchSelectWidth={false}
          />
          <AssumptionBox
            label="区间天数"
            prefix="最近"
            suffix="天"
            least={3}
            most={30}
            width={112}
            value={state.days}
            onChange={(days) => change({ days }, { replace: true })}
          />
          <AssumptionBox
            label="格数"
            prefix="分成"
            suffix="格"
            least={2}
            most={200}
            width={120}
            value={state.cells}
            onChange={(cells) => change({ cells }, { replace: true })}
          />
        </>
      }
      {...{ updatedAt, held, hands }}
      own={{
        ...{ kind: 'grid', form, fresh: FRESH, columns: own, deals: GRID_DEALS, draft, onDraft: setDraft },
        detail: (strategy) => {
          const row = rows.get(strategy.id);
          return row && <GridDetail key={strategy.id} strategy={strategy} row={row} />;
        },
      }}
    >
      <ListTable
        name="grid"
        title="花式网格"
        columns={columns}
        rowKey="id"
        list={list}
        readPage={(page) => call(gridScan.list, { query: { ...query, ...page } })}
        place={state}
        onPlace={change}
        card={card}
        filters={<GridFilters state={state} change={change} />}
        empty={
          <NoRows of="机会" filtered={gridQuery.isFiltered(state)} onClear={() => change(gridQuery.clear)}>
            <EmptyState title="没有可以做的" description="行情里还没有可以做网格的永续合约或现货" />
          </NoRows>
        }
      />
    </ScanScreen>
  );
}
