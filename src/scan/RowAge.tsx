import { createContext, type ReactNode, useContext, useRef } from 'react';
import { useSecond } from '@/components/useSecond';
import styles from './scan.module.css';

/** A row whose quotes are older is not to be traded on without a second look. */
const FRESH_MS = 6_000;
/** A word that stays: with seconds that run in every row the table would be laid out with each of them. */
const YOUNG = `< ${FRESH_MS / 1_000} s`;

/** The market's present, UTC ms; `undefined` before anything was read. */
const Present = createContext<number | undefined>(undefined);

interface MarketPresentProps {
  /** The instant of the market that the newest rows are of, by the server's clock, UTC ms. */
  at: number | undefined;
  /** When they were read, by this browser's clock. */
  readAt: number | undefined;
  children: ReactNode;
}

/** Lets rows below know how old they are, second by second, also while no newer ones come and whatever this clock says. */
export function MarketPresent({ at, readAt, children }: MarketPresentProps) {
  const now = useSecond();
  const behind = useRef<number>(undefined);
  if (at !== undefined && readAt !== undefined) behind.current = readAt - at;
  const present = behind.current === undefined ? undefined : Math.max(now, readAt ?? 0) - behind.current;
  return <Present value={present}>{children}</Present>;
}

/** How old the quotes of a row are: a dot while they are young, a triangle and a word when they are not. */
export function RowAge({ quotedAt }: { quotedAt: number }) {
  const present = useContext(Present);
  if (present === undefined) return null;
  const age = Math.max(0, present - quotedAt);
  if (age < FRESH_MS) {
    return (
      <span className={styles.young}>
        <span className={styles.dot} aria-hidden="true" />
        {YOUNG}
      </span>
    );
  }
  const seconds = Math.floor(age / 1_000);
  const text = seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} 分`;
  return (
    <span className={styles.old}>
      <span aria-hidden="true">▲</span>
      {text} 未更新
    </span>
  );
}
