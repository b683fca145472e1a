import { useAccess } from '@umijs/max';
import * as REFUSALS from '#contract/codes';
import { starredCoins, toggleStar, useStars } from '@/services/stars';
import styles from './Star.module.css';
import { toast } from './toast';
import { flagCodec, type QueryCodec } from './useQueryState';

/** Puts a coin on the viewer's watch list, or takes it off. */
export function Star({ coin }: { coin: string }) {
  const { signedIn } = useAccess();
  const stars = useStars();
  const isOn = stars?.has(coin) === true;
  const toggle = async () => {
    const hadRoom = await toggleStar(coin, signedIn === true);
    if (!hadRoom) toast.error(REFUSALS.tooManyStars.message);
  };
  return (
    <button
      type="button"
      className={`${styles.star} ${isOn ? styles.on : ''}`}
      aria-label={`自选 ${coin}`}
      aria-pressed={isOn}
      disabled={stars === undefined}
      // A failure has been told.
      onClick={() => void toggle().catch(() => {})}
    >
      {isOn ? '★' : '☆'}
    </button>
  );
}

/** Whether a list shows the watched coins alone; the API is asked for these. */
export const starredCodec: QueryCodec<boolean, string> = {
  ...flagCodec,
  ask: (isOn) => (isOn ? starredCoins() : undefined),
};

interface OnlyStarredProps {
  value: boolean;
  onChange: (isOn: boolean) => void;
}

/** Narrows a list down to the watch list. */
export const OnlyStarred = ({ value, onChange }: OnlyStarredProps) => (
  <button
    type="button"
    className={`${styles.only} ${value ? styles.on : ''}`}
    aria-label="只看自选"
    title="只看自选"
    aria-pressed={value}
    onClick={() => onChange(!value)}
  >
    自选
  </button>
);
