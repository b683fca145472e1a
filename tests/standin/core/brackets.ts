/** One step of what a position of a size takes. Notionals in USDT, the ratio a fraction. */
export interface Bracket {
  maxLeverage: number;
  floor: number;
  cap: number;
  maintenance: number;
  /** What keeps the sum of maintenance the same on both sides of the floor, USDT. */
  deducted: number;
}

const LEVERAGES = [125, 75, 50, 25, 20, 10, 5, 4, 3, 2, 1];
/** Where the first bracket ends, USDT, by the highest leverage of an instrument. */
const FIRST_CAP: Readonly<Record<number, number>> = { 125: 300_000, 75: 50_000, 50: 20_000, 25: 5_000 };
const WIDER = 4;

/** Brackets of an instrument with that highest leverage. */
export function bracketsOf(maxLeverage: number): Bracket[] {
  const brackets: Bracket[] = [];
  let cap = FIRST_CAP[maxLeverage] ?? 5_000;
  for (const leverage of LEVERAGES.filter((each) => each <= maxLeverage)) {
    const before = brackets.at(-1);
    const floor = before?.cap ?? 0;
    const maintenance = leverage === maxLeverage && leverage === 125 ? 0.004 : 1 / (2 * leverage);
    const deducted = before ? before.deducted + floor * (maintenance - before.maintenance) : 0;
    brackets.push({ maxLeverage: leverage, floor, cap, maintenance, deducted });
    cap *= WIDER;
  }
  return brackets;
}
