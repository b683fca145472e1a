import { formatFigure } from '@/chart/formatFigure';
import { Missing } from '@/components/Missing';
import styles from './overview.module.css';

const WIDTH = 80;
const HEIGHT = 24;

/** A small curve of a few figures; gaps stay gaps. Its colour says whether it ends above where it began. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (known.length < 2 || first === undefined || last === undefined) return <Missing reason="还没有两天的盈亏" />;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (i: number) => (i / (values.length - 1)) * WIDTH;
  const y = (value: number) => (high === low ? HEIGHT / 2 : HEIGHT - 1 - ((value - low) / (high - low)) * (HEIGHT - 2));
  const path = values
    .map((value, i) => {
      if (value === null) return '';
      return `${i === 0 || values[i - 1] === null ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
  return (
    <svg
      className={last === first ? styles.level : last > first ? styles.rising : styles.falling}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`从 ${formatFigure(first)} 到 ${formatFigure(last)} USDT`}
    >
      <path d={path} fill="none" stroke="currentColor" strokeWidth={1.5} />
    </svg>
  );
}
