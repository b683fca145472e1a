import { durationText } from '@/components/Duration';
import { formatNumber } from '@/components/formatNumber';
import { HedgeOutlook } from '../HedgeLimits';
import { useHedgeScreen } from '../hedgeContext';
import styles from '../index.module.css';
import type { DeskRow } from './deskRows';

const percent = (share: number) => `${formatNumber(share * 100, { digits: 1 })}%`;

/** By what a pair is opened, how large, and by what it would be closed. */
function PairPlan() {
  const { plan } = useHedgeScreen();
  if (plan === null) return null;
  const { entry, entryZ, exitZ, legNotional, stopLoss, takeProfit, maxHoldingHours } = plan;
  const exits = [
    stopLoss !== null && `止损 ${percent(stopLoss)}`,
    takeProfit !== null && `止盈 ${percent(takeProfit)}`,
    entry === 'z' && `z ≥ ${exitZ === 0 ? 0 : `−${exitZ}`}`,
    maxHoldingHours !== null && `最长 ${durationText(maxHoldingHours)}`,
  ].filter((exit) => exit !== false);
  return (
    <div className={styles.outlook}>
      <div>
        {entry === 'z' ? `z ≤ −${entryZ} 建仓` : '立即建仓'}，每腿 {formatNumber(legNotional, { digits: 0 })} USDT
      </div>
      <div className="soft">平仓：{exits.length === 0 ? '只由人平仓' : exits.join('，')}</div>
    </div>
  );
}

/** Why a hedge is held and what will close it, or by what a pair is opened. */
export const PlanCell = ({ row: { hedge } }: { row: DeskRow }) => (hedge ? <HedgeOutlook row={hedge} /> : <PairPlan />);
