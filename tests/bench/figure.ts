/** One measured figure; `npm run bench` prints each as a JSON line. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** Against what `name` says it is compared with; 1 = the same. */
  ratio?: number;
}
