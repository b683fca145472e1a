import { HistoryOutlined } from '@ant-design/icons';
import { Link } from '@umijs/max';
import { DIRECTIONS, EvaluateRow } from '#contract/evaluate';
import { DIRECTION_LABEL } from '#contract/lifecycle';
import type { TickerRow } from '#contract/market';
import { Amount } from '@/components/Amount';
import { DirectionTag } from '@/components/DirectionTag';
import { NoteCell, NoteText } from '@/components/NoteCell';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Star } from '@/components/Star';
import { useTicker } from '@/services/usePrices';
import { type OwnColumn, schemaColumns } from '@/table/schemaColumns';
import styles from './cells.module.css';
import { useSelection } from './selectionContext';

type Live = 'change24h' | 'turnover24h' | 'openInterest' | 'fundingRate';
const live = (key: Live): OwnColumn<EvaluateRow> => ({ key, render: (row) => <LiveFigure row={row} figure={key} /> });

const OWN: OwnColumn<EvaluateRow>[] = [
  { key: 'rank', render: (row) => <RankCell row={row} /> },
  { key: 'symbol', fixed: 'left', render: (row) => <SymbolCell row={row} /> },
  { key: 'price', render: (row) => <LivePrice row={row} /> },
  { ...live('change24h'), csvTitle: '24h 涨跌' },
  { key: 'ret7', csvTitle: '7 日收益' },
  { key: 'ret30', csvTitle: '30 日收益' },
  {
    key: 'suggestion',
    render: (row) => <DirectionTag direction={row.suggestion} />,
    csv: (row) => DIRECTION_LABEL[row.suggestion],
  },
  {
    key: 'direction',
    render: (row) => <DirectionCell row={row} />,
    csv: (row) => row.direction && DIRECTION_LABEL[row.direction],
  },
  { key: 'note', render: (row) => <EvaluateNote row={row} /> },
  { key: 'noteBy', render: (row) => row.noteBy ?? '' },
  live('turnover24h'),
  live('openInterest'),
  live('fundingRate'),
];

const PAIR: OwnColumn<EvaluateRow> = {
  key: 'pair',
  title: '配对',
  width: 112,
  explain: { text: '把币种加入多头或空头，两边各最多 20 个' },
  render: (row) => <PairCell row={row} />,
};

const WIDTHS = {
  ...{ rank: 76, symbol: 148, price: 112, suggestion: 84, direction: 132, note: 220, excess30: 92, beta30: 80 },
  ...{ fundingRate: 100, fundingApr: 108, noteBy: 96 },
};

/** A desk's order, which is the contract's: who and where in the ranking first, then the score and the team's view, then what is behind them. */
export const WIDE = schemaColumns(EvaluateRow, {
  widths: WIDTHS,
  own: [...OWN, { key: 'rank', fixed: 'left' }, { ...PAIR, fixed: 'right' }],
});

/** A phone's order: the four that decide are in view, nothing but the name is pinned. */
export const NARROW = schemaColumns(EvaluateRow, {
  deciding: ['symbol', 'price', 'score', 'suggestion', 'pair', 'rank', 'change24h', 'ret7', 'ret30', 'direction'],
  widths: { ...WIDTHS, symbol: 122, price: 86, score: 76, suggestion: 66 },
  own: [...OWN, PAIR],
});

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
  const cell = editable ? (
    <NoteCell
      label={`${symbol} 的评价`}
      note={note}
      placeholder="写评价"
      draft={draftOf(symbol)}
      onWrite={(text) => setDraft(symbol, text)}
      onSave={() => saveNote(row)}
      onDiscard={() => setDraft(symbol, null)}
    />
  ) : (
    <NoteText note={note} placeholder="-" />
  );
  return <div className={styles.oneLine}>{cell}</div>;
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

const FIGURE: Record<Live, (value: number | null) => React.ReactNode> = {
  change24h: (value) => <Pnl percent value={value} />,
  turnover24h: (value) => <Amount compact value={value} reason="该数据源没有成交额" />,
  openInterest: (value) => <Amount compact value={value} reason="该数据源没有持仓量" />,
  fundingRate: (value) => <Percent signed digits={4} value={value} reason="该数据源没有资金费" />,
};

/** A figure that moves with the price. */
function LiveFigure({ row, figure }: { row: EvaluateRow; figure: Live & keyof TickerRow }) {
  const { source } = useSelection();
  const live = useTicker(source, row.symbol)?.[figure];
  return FIGURE[figure](live === undefined ? row[figure] : live);
}
