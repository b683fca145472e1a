import { service } from '#contract/service';
import { venueAccount } from '#contract/venueAccount';
import { venueLabel } from '@/scan/venueLabel';
import { isOnTestnet, modeLabel } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import styles from './LiveTag.module.css';

/** The venues at which real money is moved; `null` for play money. Absent where the screen does not know: then whichever real accounts the user has. */
export type RealMoneyAt = readonly string[] | null | undefined;

/** The red line of a dialog that moves real money: at which exchange, and of which account; nothing of play money. */
export default function RealMoney({ at }: { at: RealMoneyAt }) {
  const { trading = 'paper' } = useCall(service.environment, {}).data ?? {};
  const isAsked = at === undefined ? trading !== 'paper' : at !== null;
  const { data } = useCall(venueAccount.list, isAsked ? {} : null, { quiet: () => true });
  if (!isAsked) return null;
  const real = (data?.list ?? []).filter(({ mode, venue }) => mode === 'live' && (!at || at.includes(venue)));
  // Of somebody else's accounts the exchange alone is known.
  const others = (at ?? []).filter((source) => real.every(({ venue }) => venue !== source));
  const places = [...real.map(({ name, venue }) => `${venueLabel(venue)}，账户「${name}」`), ...others.map(venueLabel)];
  if (!at && places.length === 0) return null;
  return (
    <div role="note" className={`${styles.line} ${isOnTestnet() ? styles.test : ''}`}>
      {isOnTestnet() ? '测试网的资金' : '真实资金'}：{!at && `其中${modeLabel('live')}的动用 `}
      {places.join('；')}
    </div>
  );
}
