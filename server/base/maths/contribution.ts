/**
 * How far one part of the result has carried an index that starts at 1: 1 + sum over t of part(t) / base(t) x
 * index(t - 1). The parts of a day sum up to base x return, so over all parts (line - 1) sums up to index - 1 exactly:
 * a result split without a rest (linking of contributions by the opening value of the index).
 * @param part result of the part in each period, in the currency of `base`.
 * @param base capital at work in each period; a period without a positive one adds nothing.
 * @param index value at the end of each period; 1 before the first.
 */
export function contributionLine(part: Float64Array, base: Float64Array, index: Float64Array): Float64Array {
  const line = new Float64Array(part.length);
  let value = 1;
  for (let i = 0; i < line.length; i++) {
    if (base[i]! > 0) value += (part[i]! / base[i]!) * (i === 0 ? 1 : index[i - 1]!);
    line[i] = value;
  }
  return line;
}
