/** How many digits a step has behind the point: of `0.001` three. */
export function digitsOf(step: string): number {
  const point = step.indexOf('.');
  return point < 0 ? 0 : step.length - point - 1;
}
