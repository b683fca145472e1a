import type { ArbitrageCandidate } from '#contract/kinds/okx/scan';
import type { Way } from './way';

const BPS = 1e4;

type Transfer = Pick<
  ArbitrageCandidate,
  'coinOut' | 'coinIn' | 'moneyOut' | 'moneyIn' | 'transferFee' | 'transferMinutes' | 'transferBps'
>;

/**
 * What brings both venues back to what they held: the coin goes to where it was sold, the money to where it was spent, both at once.
 * @param notional what is traded, USDT; `null` where it cannot be
 */
export function transferOf({ buy, sell }: Way, notional: number | null): Transfer {
  const { base, quote } = buy.spot.instrument;
  const [coinFrom, coinTo] = [buy.venue.wallet(base), sell.venue.wallet(base)];
  const [moneyFrom, moneyTo] = [sell.venue.wallet(quote), buy.venue.wallet(quote)];
  const known = coinFrom !== null && moneyFrom !== null;
  const transferFee = known ? coinFrom.transferFee + moneyFrom.transferFee : null;
  return {
    coinOut: coinFrom?.canWithdraw ?? null,
    coinIn: coinTo?.canDeposit ?? null,
    moneyOut: moneyFrom?.canWithdraw ?? null,
    moneyIn: moneyTo?.canDeposit ?? null,
    transferFee,
    transferMinutes: known ? Math.max(coinFrom.transferMinutes, moneyFrom.transferMinutes) : null,
    transferBps: transferFee === null || notional === null ? null : (transferFee / notional) * BPS,
  };
}
