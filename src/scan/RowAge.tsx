import { createContext, type ReactNode, useContext, useRef } from 'react';
import { useSecond } from '@/components/useSecond';
import styles from './scan.module.css';

/** A row whose quotes are older is not to be traded on without a second look. */
const FRESH_MS = 6_000;
/** A word that stays: with seconds that run in every row the table would be laid out with each of them. */
const YOUNG = `< ${FRESH_MS / 1_000} s`;

interface Reading {
  /** By this browser's clock, UTC ms. */
  readAt: number;
  /** By how much the market's clock is behind this browser's, ms. */
  behind: number;
}
/** The newest reading; `undefined` before anything was read. */
const LastReading = createContext<Reading | undefined>(undefined);

interface MarketPresentProps {
  /** The instant of the market that the newest rows are of, by the server's clock, UTC ms. */
  at: number | undefined;
  /** When they were read, by this browser's clock. */
  readAt: number | undefined;
  children: ReactNode;
}

/** Lets rows below know how old they are, second by second, also while no newer ones come and whatever this clock says. */
export function MarketPresent({ at, readAt, children }: MarketPresentProps) {
  const last = useRef<Reading>(undefined);
  if (at !== undefined && readAt !== undefined && readAt !== last.current?.readAt) {
    last.current = { readAt, behind: readAt - at };
  }
  return <LastReading value={last.current}>{children}</LastReading>;
}

/** How old the quotes of a row are: a dot while they are young, a triangle and a word when they are not. */
export function RowAge({ quotedAt }: { quotedAt: number }) {
  const reading = useContext(LastReading);
  const text = useSecond((now) => {
    if (reading === undefined) return undefined;
    const age = Math.max(now, reading.readAt) - reading.behind - quotedAt;
    return age < FRESH_MS ? YOUNG : oldText(Math.floor(age / 1_000));
  });
  if (text === undefined) return null;
  if (text === YOUNG) {
    return (
      <span className={styles.young}>
        <span className={styles.dot} aria-hidden="true" />
        {YOUNG}
      </span>
    );
  }
  return (
    <span className={styles.old}>
      <span aria-hidden="true">▲</span>
      {text} 未更新
    </span>
  );
}

const oldText = (seconds: number): string => (seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} 分`);
