import { Select } from 'antd';
import { useMemo } from 'react';
import { gridDeal, NO_FUNDING } from '#contract/kinds/grid/deal';
import { DEFAULT_GRID, type GridParams } from '#contract/kinds/grid/params';
import { GRID_FILTERS, GRID_RANGES, GridCandidate, gridScan, RANGE_DAYS } from '#contract/kinds/grid/scan';
import type { StrategyRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { boundedCodec, numberCodec, wordCodec } from '@/components/useQueryState';
import { atHome } from '@/form/atHome';
import { AssumptionBox } from '@/scan/AssumptionBox';
import { coinColumn } from '@/scan/coinColumn';
import { ScanPage, scanAhead, scanOf } from '@/scan/ScanPage';
import { scanColumns } from '@/scan/scanColumns';
import { useCall } from '@/services/useCall';
import type { DealView } from '@/strategy/dealColumns';
import { asWritten } from '@/table/written';
import { form } from './form';
import { GridDetail } from './GridDetail';
import { NO_ADL, RANGE_LABEL } from './gridLabels';
import { ownColumns } from './ownColumns';
import { RangeBar } from './RangeBar';

const REFRESH_MS = 3_000;
/** Of the detail of a grid where it has all its parts, px. */
const DETAIL_HEIGHT = 592;
/** Cells that a range may be cut into. */
const CELLS = { minimum: 2, maximum: 200 };
const RANGES = GRID_RANGES.map((value) => ({ value, label: RANGE_LABEL[value] }));

/** No range fits every price: it is typed, or filled in by the hours of the pair. */
const FRESH = atHome({ ...DEFAULT_GRID, lower: undefined, upper: undefined } as unknown as GridParams);

/** Why nothing is said of the hours before. */
const PAST_REASON: Record<GridCandidate['past'], string> = {
  known: '没有费率或步长',
  pending: '正在读取历史，稍候自动出现',
  short: '历史不足两倍区间天数，或波动太大没有区间',
};

function useOwnGrids(isOpen: boolean) {
  const { data: grids, error } = useCall(gridDeal.list, isOpen ? {} : null, { refreshInterval: REFRESH_MS });
  const isUnread = grids === undefined && error === undefined;
  return useMemo(() => {
    const rows = new Map(grids?.list.map((row) => [row.strategyId, row]));
    return {
      columns: ownColumns(rows),
      detail: (strategy: StrategyRow) => {
        const row = rows.get(strategy.id);
        if (isUnread) return <div style={{ minHeight: DETAIL_HEIGHT }} />;
        return row && <GridDetail key={strategy.id} strategy={strategy} row={row} />;
      },
    };
  }, [grids, isUnread]);
}

/** What is shown of grids: their legs are no counterparts, and their figures a year stand with the strategy. */
const GRID_DEALS: DealView = {
  columns: [],
  signal: { text: '开始时最窄一格的净利 F27，占买入价' },
  without: ['imbalance', 'roi', 'apr'],
};

const GRID = scanOf({
  endpoint: gridScan.list,
  filters: GRID_FILTERS,
  assumed: {
    days: boundedCodec(numberCodec(14), RANGE_DAYS),
    cells: boundedCodec(numberCodec(40), CELLS),
    range: wordCodec(GRID_RANGES, 'lowHigh'),
  },
  assumptions: ({ state, change }) => (
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
        prefix="区间"
        suffix="天"
        least={RANGE_DAYS.minimum}
        most={RANGE_DAYS.maximum}
        width={112}
        value={state.days}
        onChange={(days) => change({ days }, { replace: true })}
      />
      <AssumptionBox
        label="格数"
        prefix="分成"
        suffix="格"
        least={CELLS.minimum}
        most={CELLS.maximum}
        width={120}
        value={state.cells}
        onChange={(cells) => change({ cells }, { replace: true })}
      />
    </>
  ),
  sizeLabel: '总名义',
  columns: (plan) =>
    scanColumns(GridCandidate, {
      coin: coinColumn(({ source, market, symbol }) => ({ source, perpetual: market === 'spot' ? null : symbol }), {
        width: 116,
      }),
      deciding: ['market', 'source', 'result', 'replay7', 'replay30', 'position', 'profit', 'depth'],
      own: [
        { key: 'depth', width: 108 },
        {
          key: 'position',
          width: 196,
          render: (row) => <RangeBar {...row} reason={PAST_REASON[row.past]} />,
          csv: ({ lower, upper }) => [lower, upper].map((bound) => asWritten(bound, 'price')?.text ?? '').join('-'),
        },
        {
          key: 'dailyNet',
          render: ({ dailyNet, past }) => <Amount value={dailyNet} unit="USDT" reason={PAST_REASON[past]} />,
        },
        {
          key: 'fundingApr',
          render: ({ fundingApr, market }) => (
            <Percent value={fundingApr} signed reason={market === 'spot' ? NO_FUNDING : '没有费率'} />
          ),
        },
        {
          key: 'adl',
          render: ({ adl, market }) => (
            <Amount value={adl} digits={0} reason={market === 'spot' ? NO_ADL : undefined} />
          ),
        },
      ],
      // What is still being read lacks nothing.
      pending: ({ past }) => (past === 'pending' ? PAST_REASON.pending : undefined),
      plan,
    }),
  card: {
    beside: ['market', 'source'],
    figures: ['result', 'replay7', 'replay30', 'dailyPairs', 'profit', 'price', 'inRange', 'width', 'position'],
    wide: ['position'],
  },
  draftOf: ({ source, base, market, symbol, lower, upper }, { size, cells }) => ({
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
  }),
  nothing: ['没有可以做的', '行情里还没有可以做网格的永续合约或现货'],
  own: { kind: 'grid', form, fresh: FRESH, deals: GRID_DEALS },
  useOwn: useOwnGrids,
});

/** 花式网格: which coins move between two prices, and the grids that trade them. */
export default function GridPage() {
  return <ScanPage scan={GRID} />;
}

GridPage.ahead = scanAhead(GRID);
