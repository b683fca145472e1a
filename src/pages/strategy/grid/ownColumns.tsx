import { HOUR_MS } from '#contract/duration';
import { GridRow } from '#contract/kinds/grid/deal';
import { GRID_DIRECTION_LABEL, GRID_MARKET_LABEL, GRID_SPACING_LABEL } from '#contract/kinds/grid/params';
import type { StrategyRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { Duration } from '@/components/Duration';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import type { Column } from '@/table/column';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './grid.module.css';
import { NO_LIQUIDATION } from './gridLabels';
import { RangeBar } from './RangeBar';

const NO_PRICE = '没有价格';
const YOUNG = '运行不足 30 天';
const FAR = '只用投入承担也不会强平，或没有';

const hours = ({ openedAt, endedAt }: GridRow): number | null =>
  openedAt === null ? null : ((endedAt ?? Date.now()) - openedAt) / HOUR_MS;

const NOTHING = '\u00a0';
const two = (above: React.ReactNode, below: React.ReactNode) => (
  <>
    <div>{above}</div>
    <div className="soft">{below}</div>
  </>
);

/** Two fields in a cell. */
const of = (
  key: string,
  title: string,
  width: number,
  render: (row: GridRow) => React.ReactNode,
  rest: Partial<Column<GridRow>> = {},
) => ({ key, title, width, render, ...rest });

const FIGURES = schemaColumns(GridRow, {
  deciding: [
    ...['net', 'range', 'profits', 'orders', 'liquidation', 'symbol', 'pairs', 'return'],
    ...['apr', 'cells', 'profitLeast', 'capital', 'fees', 'funding', 'days'],
  ],
  only: true,
  widths: { fees: 88, funding: 96 },
  own: [
    of('symbol', '交易对', 136, ({ symbol, market, direction }) =>
      two(symbol, `${GRID_MARKET_LABEL[market]} · ${GRID_DIRECTION_LABEL[direction]}`),
    ),
    of(
      'profits',
      '网格 / 浮动',
      112,
      ({ gridProfit, floating }) => two(<Pnl value={gridProfit} />, <Pnl value={floating} reason={NO_PRICE} />),
      { figure: true, explain: { formula: '网格利润（F27）/ 净盈亏 − 网格利润', text: 'USDT，最新一张交易单' } },
    ),
    of('range', '区间与现价', 200, (row) => <RangeBar {...row} reason={NO_PRICE} />),
    of('pairs', '套利 24h / 总', 104, ({ pairs24h, pairs }) => `${pairs24h} / ${pairs}`, { figure: true }),
    of(
      'return',
      '收益率 网格 / 总',
      128,
      ({ gridReturn, netReturn }) =>
        two(<Pnl percent value={gridReturn} reason={NO_PRICE} />, <Pnl percent value={netReturn} reason={NO_PRICE} />),
      { figure: true, explain: { formula: '利润 / 投入' } },
    ),
    of(
      'apr',
      '年化 网格 / 总',
      116,
      ({ gridApr, netApr }) =>
        two(<Pnl percent value={gridApr} reason={YOUNG} />, <Pnl percent value={netApr} reason={YOUNG} />),
      { figure: true, explain: { formula: '利润 / 投入 × 365 / 天数', text: '运行不足 30 天不年化' } },
    ),
    of(
      'orders',
      '挂单 实 / 应',
      96,
      ({ ordersLive, ordersDue }) => (
        <span className={ordersLive < ordersDue ? styles.wrong : undefined}>
          {ordersLive} / {ordersDue}
        </span>
      ),
      { figure: true, explain: { text: '应有：离现价最近的挂单上限内、没有被人手撤下的档位；暂停开仓时只计平仓的' } },
    ),
    of('cells', '格数 · 间距', 136, ({ cells, spacing, stepLeast, stepMost }) =>
      two(
        `${cells} 格 ${GRID_SPACING_LABEL[spacing]}`,
        <>
          <Percent value={stepLeast} digits={2} /> ~ <Percent value={stepMost} digits={2} />
        </>,
      ),
    ),
    of(
      'profitLeast',
      '每格净利',
      96,
      ({ profitLeast, profitMost }) =>
        two(<Percent value={profitLeast} digits={3} />, <Percent value={profitMost} digits={3} />),
      { explain: { formula: 'F27', text: '最窄一格与最宽一格，占买入价，扣除两笔挂单手续费' } },
    ),
    of('capital', '投入', 108, ({ capital, leverage, market }) =>
      two(<Amount value={capital} unit="USDT" />, market === 'spot' ? '无杠杆' : `${leverage} 倍`),
    ),
    of(
      'liquidation',
      '强平 跌 / 涨',
      120,
      ({ market, liquidationLow, liquidationHigh }) =>
        market === 'spot' ? (
          <Price value={null} reason={NO_LIQUIDATION} />
        ) : (
          two(
            <Price value={liquidationLow} reason={`${FAR}多头格`} />,
            <Price value={liquidationHigh} reason={`${FAR}空头格`} />,
          )
        ),
      { figure: true, explain: { text: '买满（卖满）后只用投入承担时的强平价；账户里其他资金会让它更远' } },
    ),
    of('days', '运行', 76, (row) => <Duration hours={hours(row)} reason="还没有开始" />, {
      figure: true,
    }),
  ],
});

/** What a grid shows in place of the usual figures. @param rows by strategy. */
export const ownColumns = (rows: ReadonlyMap<string, GridRow>): Column<StrategyRow>[] =>
  FIGURES.map(({ render, csv: _csv, sort: _sort, written: _written, csvTitle: _csvTitle, ...column }) => ({
    ...column,
    render: ({ id }) => {
      const row = rows.get(id);
      // Its row is as high before as it will be.
      return row ? render(row) : two(NOTHING, NOTHING);
    },
  }));
