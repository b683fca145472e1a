import type { ReactNode } from 'react';
import styles from './LimitBar.module.css';

/** What filling up means: a loss, a gain, or neither. */
const COLOR = { bad: 'var(--down)', good: 'var(--up)', plain: 'var(--ant-color-primary)' } as const;

interface LimitBarProps {
  label: string;
  /** A fraction from 0 to 1. */
  used: number;
  /** What is beside the label: what is left, or used of how much. */
  figure: ReactNode;
  /** The same in one sentence, for who does not see the bar. */
  text: string;
  meaning: keyof typeof COLOR;
}

/** How far something has come to its limit: words, a figure and a bar. */
export function LimitBar({ label, used, figure, text, meaning }: LimitBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, used)) * 100);
  return (
    <div className={styles.bar}>
      <span className={styles.words}>
        <span className="soft">{label}</span>
        <span className="figure">{figure}</span>
      </span>
      <meter className={styles.told} min={0} max={100} value={percent} aria-label={label} aria-valuetext={text} />
      <span className={styles.track} aria-hidden="true">
        <span style={{ width: `${percent}%`, background: COLOR[meaning] }} />
      </span>
    </div>
  );
}
