import type { EvaluateRow } from '#contract/evaluate';
import type { TickerRow } from '#contract/market';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { useTicker } from '@/services/usePrices';
import styles from './cells.module.css';
import { useSelection } from './selectionContext';

const FLASH = { 1: styles.rose, 0: undefined, [-1]: styles.fell };

/** The newest price; a change lights up briefly. */
export function LivePrice({ row }: { row: EvaluateRow }) {
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
export function LiveFigure({ row, figure }: { row: EvaluateRow; figure: Figure & keyof TickerRow }) {
  const { source } = useSelection();
  const live = useTicker(source, row.symbol)?.[figure];
  return FIGURE[figure](live === undefined ? row[figure] : live);
}
