const HALVINGS = 14;

/**
 * The largest value within [least, most] that passes, where what is larger passes less easily.
 * Halves the ratio of the two: the answer is at most 0.1 % below the true one where `most` is a million times `least`.
 * @param least, most above 0.
 * @returns `null` where not even the least passes.
 */
export function largest(least: number, most: number, passes: (value: number) => boolean): number | null {
  if (!(least <= most) || !passes(least)) return null;
  if (passes(most)) return most;
  let [low, high] = [least, most];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = Math.sqrt(low * high);
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}
