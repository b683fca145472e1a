import type { GridRow } from '#contract/kinds/grid/deal';
import { GRID_MARKET_LABEL } from '#contract/kinds/grid/params';
import type { StrategyRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import type { Column } from '@/table/column';
import styles from './grid.module.css';
import { DIRECTION_LABEL, NO_FUNDING, NO_LIQUIDATION, SPACING_LABEL } from './gridLabels';
import { RangeBar } from './RangeBar';

type Own = Column<StrategyRow>;

const NO_PRICE = '没有价格';
const YOUNG = '运行不足 30 天';

const days = ({ openedAt, endedAt }: GridRow): number | null =>
  openedAt === null ? null : ((endedAt ?? Date.now()) - openedAt) / 86_400_000;

const two = (above: React.ReactNode, below: React.ReactNode) => (
  <>
    <div>{above}</div>
    <div className="soft">{below}</div>
  </>
);

/** A figure of a grid. */
type Figure = Omit<Own, 'render'> & { show: (row: GridRow) => React.ReactNode };

const of = (
  key: string,
  title: string,
  width: number,
  show: Figure['show'],
  rest: Partial<Omit<Own, 'render'>> = {},
): Figure => ({ key, title, width, show, ...rest });

const FIGURES: readonly Figure[] = [
  of('symbol', '交易对', 136, ({ symbol, market, direction }) =>
    two(symbol, `${GRID_MARKET_LABEL[market]} · ${DIRECTION_LABEL[direction]}`),
  ),
  of('range', '区间与现价', 210, (row) => <RangeBar {...row} reason={NO_PRICE} />),
  of('pairs', '套利 24h / 总', 104, ({ pairs24h, pairs }) => `${pairs24h} / ${pairs}`, { figure: true }),
  of('gridProfit', '网格利润', 108, ({ gridProfit }) => <Pnl value={gridProfit} />, {
    figure: true,
    explain: { formula: 'F27：Σ 配对成交的 (卖 − 买) × 数量 − 两笔手续费', text: 'USDT，最新一张交易单' },
  }),
  of('floating', '浮动盈亏', 108, ({ floating }) => <Pnl value={floating} reason={NO_PRICE} />, {
    figure: true,
    explain: { formula: '净盈亏 − 网格利润', text: '还没有配对的持仓与它们的手续费、资金费' },
  }),
  of('net', '总盈亏', 108, ({ net }) => <Pnl value={net} reason={NO_PRICE} />, { figure: true }),
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
      `${cells} 格 ${SPACING_LABEL[spacing]}`,
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
          <Price value={liquidationLow} reason="只用投入承担也不会强平，或没有多头格" />,
          <Price value={liquidationHigh} reason="只用投入承担也不会强平，或没有空头格" />,
        )
      ),
    { figure: true, explain: { text: '买满（卖满）后只用投入承担时的强平价；账户里其他资金会让它更远' } },
  ),
  of('fees', '手续费', 88, ({ fees }) => <Amount value={fees} />, { figure: true }),
  of('funding', '资金费', 96, ({ funding }) => <Pnl value={funding} reason={NO_FUNDING} />, {
    figure: true,
  }),
  of('days', '运行', 76, (row) => <Amount value={days(row)} digits={1} unit="天" reason="还没有开始" />, {
    figure: true,
  }),
];

/** What a grid shows in place of the usual figures. @param rows by strategy. */
export const ownColumns = (rows: ReadonlyMap<string, GridRow>): Own[] =>
  FIGURES.map(({ show, ...column }) => ({
    ...column,
    render: ({ id }) => {
      const row = rows.get(id);
      return row ? show(row) : null;
    },
  }));
