/**
 * Rows to draw when curves are longer than a screen can show: the first and the last one, and of every bucket the rows
 * at which one of the curves is lowest or highest, so that no spike and no drawdown is lost.
 * @param curves columns of equal length, at least one; NaN stands for no value.
 * @param limit most rows wanted, more than twice the number of curves.
 * @returns ascending rows; all of them where there are no more than `limit`.
 */
export function thinnedRows(curves: readonly Float64Array[], limit: number): Int32Array {
  const length = curves[0]?.length ?? 0;
  if (length <= limit) return Int32Array.from({ length }, (_, row) => row);
  const kept = new Uint8Array(length);
  kept[0] = 1;
  kept[length - 1] = 1;
  const buckets = Math.floor((limit - 2) / (2 * curves.length));
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * length) / buckets);
    const to = Math.floor(((bucket + 1) * length) / buckets);
    for (const curve of curves) keepExtremes(curve, from, to, kept);
  }
  return Int32Array.from(kept.keys()).filter((row) => kept[row] === 1);
}

function keepExtremes(curve: Float64Array, from: number, to: number, kept: Uint8Array): void {
  let lowest = -1;
  let highest = -1;
  for (let row = from; row < to; row++) {
    const value = curve[row]!;
    if (Number.isNaN(value)) continue;
    if (lowest < 0 || value < curve[lowest]!) lowest = row;
    if (highest < 0 || value > curve[highest]!) highest = row;
  }
  if (lowest >= 0) kept[lowest] = 1;
  if (highest >= 0) kept[highest] = 1;
}
