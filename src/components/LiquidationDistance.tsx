import { Percent } from './Percent';

/** Farther than five times the price says nothing that a trader goes by. */
const FAR = 5;

/** How far a price has to go to the liquidation of what is held, a fraction of it (F23). */
export function LiquidationDistance({ value, reason }: { value: number | null | undefined; reason: string }) {
  if (value !== null && value !== undefined && value > FAR) return <span className="figure">&gt; {FAR * 100}%</span>;
  return <Percent value={value} reason={reason} />;
}
