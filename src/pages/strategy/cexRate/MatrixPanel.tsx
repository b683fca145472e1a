import { Segmented } from 'antd';
import { useMemo } from 'react';
import type { RateMatrixRow } from '#contract/kinds/cexRate/scan';
import { cexRateScan, RATE_FILTERS } from '#contract/kinds/cexRate/scan';
import { EmptyState } from '@/components/EmptyState';
import { MarketFilters } from '@/scan/ScanPage';
import { call } from '@/services/call';
import { useVenues } from '@/services/useVenues';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import type { Listed } from '@/table/useListed';
import { matrixColumns, UNIT_LABEL, UnitContext } from './matrixColumns';
import { type ChangeRates, matrixQuery, type RateState, UNITS } from './rateQuery';

const UNIT_OPTIONS = UNITS.map((value) => ({ value, label: UNIT_LABEL[value] }));

interface MatrixPanelProps {
  list: Listed<RateMatrixRow>;
  state: RateState;
  change: ChangeRates;
}

/** 矩阵: each coin at every venue. */
export function MatrixPanel({ list, state, change }: MatrixPanelProps) {
  const filtered = matrixQuery.isFiltered(state);
  const clear = () => change(matrixQuery.clear);
  const venues = useVenues().join();
  const columns = useMemo(() => matrixColumns(state.unit, venues.split(',')), [state.unit, venues]);
  return (
    <UnitContext value={state.unit}>
      <ListTable
        name="cexRateMatrix"
        title="费率矩阵"
        columns={columns}
        rowKey="id"
        list={list}
        readPage={(page) => call(cexRateScan.matrix, { query: { ...matrixQuery.toApi(state), ...page } })}
        place={state}
        onPlace={change}
        filters={<MarketFilters filters={RATE_FILTERS} isFiltered={filtered} {...{ state, change }} onClear={clear} />}
        actions={
          <Segmented
            aria-label="费率的写法"
            options={UNIT_OPTIONS}
            value={state.unit}
            onChange={(unit) => change({ unit }, { replace: true })}
          />
        }
        empty={
          <NoRows of="币种" filtered={filtered} onClear={clear}>
            <EmptyState title="没有永续合约" description="交易所上了永续合约，这里就有它的费率" />
          </NoRows>
        }
      />
    </UnitContext>
  );
}
