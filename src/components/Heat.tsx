import styles from './Heat.module.css';

interface HeatProps {
  /** A gain or a loss. */
  value: number;
  /** What has the full colour, in the same unit, above 0. */
  full: number;
}

/** The ground of a cell of a heat map: figure and sign carry the meaning, the colour only helps to find it. */
export function Heat({ value, full }: HeatProps) {
  const strength = full > 0 ? Math.min(1, Math.abs(value) / full) : 0;
  const background = value < 0 ? 'var(--down)' : 'var(--up)';
  return <span aria-hidden="true" className={styles.heat} style={{ background, opacity: 0.08 + 0.42 * strength }} />;
}
