import { HistoryOutlined } from '@ant-design/icons';
import { Link } from '@umijs/max';
import { DIRECTIONS, type EvaluateRow } from '#contract/evaluate';
import type { TickerRow } from '#contract/market';
import { Amount } from '@/components/Amount';
import { DirectionTag } from '@/components/DirectionTag';
import { DIRECTION_LABEL } from '@/components/labels';
import { NoteCell, NoteText } from '@/components/NoteCell';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Star } from '@/components/Star';
import { useTicker } from '@/services/usePrices';
import type { Column } from '@/table/column';
import { changeColumn, moneyColumn, numberColumn, percentColumn, priceColumn, timeColumn } from '@/table/columns';
import styles from './cells.module.css';
import { useSelection } from './selectionContext';

const DAILY = '最新一日的 UTC 日线收盘';
const LIVE = '最新行情，每 5 秒刷新；导入数据为最后收盘';
const daily = (formula: string, window: string) => ({ formula, window, inputAt: DAILY });

const symbol: Column<EvaluateRow> = {
  key: 'symbol',
  title: '币种',
  width: 148,
  sort: 'ascend',
  fixed: 'left',
  render: (row) => <SymbolCell row={row} />,
  csv: (row) => row.symbol,
};

const rank: Column<EvaluateRow> = {
  ...numberColumn('rank', '排名', { sort: 'ascend', width: 76 }),
  explain: { text: '按综合分降序，同分按币种名。小字为较前一日的名次变化。', inputAt: DAILY },
  render: (row) => <RankCell row={row} />,
};

const price: Column<EvaluateRow> = {
  ...priceColumn('price', '价格', { width: 112, csvTitle: '价格 (USDT)' }),
  explain: { text: 'USDT，五位有效数字', inputAt: LIVE },
  render: (row) => <LivePrice row={row} />,
};

const score: Column<EvaluateRow> = numberColumn('score', '综合分', {
  digits: 3,
  explain: daily(
    '0.35 z(7 日收益) + 0.35 z(30 日收益) − 0.15 z(30 日波动率) − 0.15 z(资金费 APR)，z 截断到 ±3',
    '横截面：全部参与排名的币种',
  ),
});

const suggestion: Column<EvaluateRow> = {
  key: 'suggestion',
  title: '建议',
  width: 84,
  sort: 'ascend',
  explain: { text: '综合分前五分之一建议做多，后五分之一建议做空，其余观望。', inputAt: DAILY },
  render: (row) => <DirectionTag direction={row.suggestion} />,
  csv: (row) => DIRECTION_LABEL[row.suggestion],
};

const direction: Column<EvaluateRow> = {
  key: 'direction',
  title: '方向',
  width: 132,
  sort: 'ascend',
  explain: { text: '编辑给出的方向，与建议相互独立。' },
  render: (row) => <DirectionCell row={row} />,
  csv: (row) => row.direction && DIRECTION_LABEL[row.direction],
};

const note: Column<EvaluateRow> = {
  key: 'note',
  title: '评价',
  width: 220,
  render: (row) => <EvaluateNote row={row} />,
  csv: (row) => row.note,
};

const noteBy: Column<EvaluateRow> = {
  key: 'noteBy',
  title: '评价人',
  width: 96,
  sort: 'ascend',
  render: (row) => row.noteBy ?? '',
  csv: (row) => row.noteBy,
};

const change24h: Column<EvaluateRow> = {
  ...changeColumn<EvaluateRow>('change24h', '24h', { csvTitle: '24h 涨跌' }),
  explain: { formula: '现价 / 24 小时前价格 − 1', window: '24 小时', inputAt: LIVE },
  render: (row) => <LiveFigure row={row} figure="change24h" />,
};

const turnover24h: Column<EvaluateRow> = {
  ...moneyColumn<EvaluateRow>('turnover24h', '24h 成交额'),
  explain: { text: 'USDT', window: '24 小时', inputAt: LIVE },
  render: (row) => <LiveFigure row={row} figure="turnover24h" />,
};

const openInterest: Column<EvaluateRow> = {
  ...moneyColumn<EvaluateRow>('openInterest', '持仓量'),
  explain: { text: '未平仓合约的名义价值，USDT', inputAt: LIVE },
  render: (row) => <LiveFigure row={row} figure="openInterest" />,
};

const fundingRate: Column<EvaluateRow> = {
  ...percentColumn<EvaluateRow>('fundingRate', '资金费', { width: 100, digits: 4 }),
  explain: { text: '当前结算间隔的费率；正数为多头付给空头', inputAt: LIVE },
  render: (row) => <LiveFigure row={row} figure="fundingRate" />,
};

const fundingApr: Column<EvaluateRow> = percentColumn('fundingApr', '资金费 APR', {
  width: 108,
  reason: '该数据源没有资金费',
  explain: { formula: '费率 × 8760 / 结算间隔（小时）', window: '当前结算间隔', inputAt: '本页读取时的行情' },
});

const pairing: Column<EvaluateRow> = {
  key: 'pair',
  title: '配对',
  width: 112,
  fixed: 'right',
  explain: { text: '把币种加入多头或空头，两边各最多 20 个' },
  render: (row) => <PairCell row={row} />,
};

const figures: Column<EvaluateRow>[] = [
  changeColumn('ret7', '7 日', { csvTitle: '7 日收益', explain: daily('收盘 / 7 日前收盘 − 1', '7 日') }),
  changeColumn('ret30', '30 日', { csvTitle: '30 日收益', explain: daily('收盘 / 30 日前收盘 − 1', '30 日') }),
];

const more: Column<EvaluateRow>[] = [
  changeColumn('excess30', '相对 BTC', { explain: daily('(1 + 30 日收益) / (1 + BTC 30 日收益) − 1', '30 日') }),
  numberColumn('beta30', 'Beta', { width: 80, explain: daily('cov(r, rBTC) / var(rBTC)，日对数收益', '30 日') }),
  percentColumn('vol30', '波动率', { explain: daily('日对数收益标准差 × √365，年化', '30 日') }),
  turnover24h,
  fundingRate,
  fundingApr,
  openInterest,
  changeColumn('openInterestChange24h', '持仓 24h', {
    spare: true,
    reason: '该数据源没有持仓量',
    explain: { text: '持仓量较 24 小时前的变化', window: '24 小时', inputAt: '本页读取时的行情' },
  }),
  numberColumn('longShortRatio', '多空比', {
    spare: true,
    reason: '该数据源没有多空比',
    explain: { text: '多头账户数 / 空头账户数', inputAt: '本页读取时的行情' },
  }),
  numberColumn('corr30', '相关 BTC', {
    spare: true,
    width: 92,
    explain: daily('与 BTC 日对数收益的 Pearson 相关', '30 日'),
  }),
  numberColumn('momentumScore', '动量分', {
    spare: true,
    digits: 3,
    explain: daily('0.35 z(7 日收益) + 0.35 z(30 日收益)', '横截面'),
  }),
  percentColumn('liquidityScore', '流动性分', {
    spare: true,
    digits: 0,
    explain: daily('最新一日成交额在全部币种中的分位', '1 日'),
  }),
  numberColumn('listedDays', '上市天数', {
    spare: true,
    digits: 0,
    width: 96,
    explain: { text: '自第一根日线起的天数' },
  }),
];

const team = [noteBy, timeColumn<EvaluateRow>('updatedAt', '更新时间', { spare: true, reason: '从未评价' })];

/** A desk's order: who and where in the ranking first, then the score and the team's view, then what is behind them. */
export const WIDE = [
  { ...rank, fixed: 'left' as const },
  symbol,
  price,
  change24h,
  ...figures,
  score,
  suggestion,
  direction,
  note,
  ...more,
  ...team,
  pairing,
];

/** A phone's order: the four that decide are in view, nothing but the name is pinned. */
export const NARROW = [
  { ...symbol, width: 122 },
  { ...price, width: 86 },
  { ...score, width: 76 },
  { ...suggestion, width: 66 },
  { ...pairing, fixed: undefined },
  rank,
  change24h,
  ...figures,
  direction,
  note,
  ...more,
  ...team,
];

/** The rank, and how many places it gained or lost since the day before. */
function RankCell({ row: { rank, rankChange } }: { row: EvaluateRow }) {
  const change =
    rankChange === null ? '新' : rankChange > 0 ? `▲${rankChange}` : rankChange < 0 ? `▼${-rankChange}` : '';
  const meaning = rankChange === null ? '前一日不在排名中' : `较前一日 ${rankChange > 0 ? '+' : ''}${rankChange}`;
  return (
    <span className="figure">
      {rank}{' '}
      <small className={rankChange && rankChange > 0 ? 'up' : rankChange ? 'down' : 'missing'} title={meaning}>
        {change}
      </small>
    </span>
  );
}

/** The team's note; who may edit it writes right here. */
function EvaluateNote({ row }: { row: EvaluateRow }) {
  const { editable, draftOf, setDraft, saveNote } = useSelection();
  const { symbol, note } = row;
  if (!editable) return <NoteText note={note} placeholder="-" />;
  return (
    <NoteCell
      label={`${symbol} 的评价`}
      note={note}
      placeholder="写评价"
      draft={draftOf(symbol)}
      onWrite={(text) => setDraft(symbol, text)}
      onSave={() => saveNote(row)}
      onDiscard={() => setDraft(symbol, null)}
    />
  );
}

/** The coin, leading to its own screen; a visitor hears what that screen needs. */
function SymbolCell({ row: { symbol, base, sector } }: { row: EvaluateRow }) {
  const { source, visitor, offerAccount } = useSelection();
  const address = `/indicator/symbol/detail/${encodeURIComponent(symbol)}?source=${encodeURIComponent(source)}`;
  return (
    <span className={styles.symbol}>
      <span className={styles.named}>
        <Star coin={base} />
        {visitor ? (
          <button
            type="button"
            className={styles.link}
            onClick={() => offerAccount('打开币种详情：K 线、资金费历史、统计与评价历史')}
          >
            {symbol}
          </button>
        ) : (
          <Link to={address}>{symbol}</Link>
        )}
      </span>
      {sector && <small className="missing">{sector}</small>}
    </span>
  );
}

/** The team's direction; who may edit it chooses right here, and takes it back by choosing it again. Plain buttons: a page has fifty of these. */
function DirectionCell({ row }: { row: EvaluateRow }) {
  const { editable, setDirection } = useSelection();
  if (!editable)
    return row.direction ? <DirectionTag direction={row.direction} /> : <span className="missing">未评</span>;
  return (
    <fieldset className={styles.segmented} aria-label={`${row.symbol} 方向`}>
      {DIRECTIONS.map((direction) => {
        const isSaid = row.direction === direction;
        return (
          <button
            key={direction}
            type="button"
            aria-pressed={isSaid}
            title={isSaid ? '再点一次撤回' : undefined}
            className={isSaid ? styles[direction] : undefined}
            onClick={() => setDirection(row, isSaid ? null : direction)}
          >
            {DIRECTION_LABEL[direction]}
          </button>
        );
      })}
    </fieldset>
  );
}

const SIDES = ['long', 'short'] as const;

/** Puts a coin on a side of the pair, and opens the history of what was thought of it. */
function PairCell({ row: { symbol } }: { row: EvaluateRow }) {
  const { baskets, visitor, offerAccount, showHistory } = useSelection();
  return (
    <span className={styles.rowActions}>
      {SIDES.map((side) => {
        const chosen = baskets[side].includes(symbol);
        return (
          <button
            key={side}
            type="button"
            aria-pressed={chosen}
            aria-label={`${symbol} ${side === 'long' ? '加入多头' : '加入空头'}`}
            className={`${styles.mini} ${chosen ? styles[side] : ''}`}
            onClick={() => baskets.toggle(side, symbol)}
          >
            {DIRECTION_LABEL[side]}
          </button>
        );
      })}
      <button
        type="button"
        className={styles.mini}
        aria-label={`${symbol} 的评价历史`}
        onClick={() =>
          visitor ? offerAccount('查看每个币种的方向与评价历史，含作者、时间与此后涨跌') : showHistory(symbol)
        }
      >
        <HistoryOutlined />
      </button>
    </span>
  );
}

const FLASH = { 1: styles.rose, 0: undefined, [-1]: styles.fell };

/** The newest price; a change lights up briefly. */
function LivePrice({ row }: { row: EvaluateRow }) {
  const { source } = useSelection();
  const ticker = useTicker(source, row.symbol);
  const price = ticker?.price ?? row.price;
  return (
    // A new key starts the animation over.
    <span key={price} className={ticker && FLASH[ticker.moved]}>
      <Price value={price} />
    </span>
  );
}

type Figure = 'change24h' | 'turnover24h' | 'openInterest' | 'fundingRate';

const FIGURE: Record<Figure, (value: number | null) => React.ReactNode> = {
  change24h: (value) => <Pnl percent value={value} />,
  turnover24h: (value) => <Amount compact value={value} reason="该数据源没有成交额" />,
  openInterest: (value) => <Amount compact value={value} reason="该数据源没有持仓量" />,
  fundingRate: (value) => <Percent signed digits={4} value={value} reason="该数据源没有资金费" />,
};

/** A figure that moves with the price. */
function LiveFigure({ row, figure }: { row: EvaluateRow; figure: Figure & keyof TickerRow }) {
  const { source } = useSelection();
  const live = useTicker(source, row.symbol)?.[figure];
  return FIGURE[figure](live === undefined ? row[figure] : live);
}
