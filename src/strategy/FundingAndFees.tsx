import { Amount } from '@/components/Amount';
import { Pnl } from '@/components/Pnl';
import styles from './strategy.module.css';

/** What a deal was paid for being held, and below it what its fills cost, USDT. */
export const FundingAndFees = ({ funding, fees }: { funding: number | null; fees: number | null }) => (
  <>
    <Pnl value={funding} />
    <div className={`soft ${styles.below}`}>
      手续费 <Amount value={fees} digits={2} />
    </div>
  </>
);
