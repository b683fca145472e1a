/** Words of the API, and what people call each. */
export type Labels = Readonly<Record<string, string>>;

/** The words themselves, in the order in which their labels are written. */
export const wordsOf = <const L extends Labels>(labels: L) =>
  Object.keys(labels) as unknown as readonly (keyof L & string)[];
