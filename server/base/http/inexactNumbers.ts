import Big from 'big.js';

/** A text of JSON, which may look like anything inside, or a number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Up to so many digits every number is kept; most end here. */
const ALWAYS_KEPT = 15;

/** Whether a written number becomes another one when it is read: it has more digits than are kept. */
export function isInexact(written: string): boolean {
  if (written.startsWith('"') || (written.length <= ALWAYS_KEPT && !/e/i.test(written))) return false;
  const read = Number(written);
  // What is beyond all bounds is refused by them.
  return Number.isFinite(read) && !new Big(written).eq(read);
}

/** Where in a text of JSON, which was read before, numbers are that are not kept as they are written: `a.b.0`. */
export function inexactNumbers(text: string): string[] {
  // No text of a caller can be this one.
  const mark = crypto.randomUUID();
  const marked = text.replace(TEXT_OR_NUMBER, (part) => (isInexact(part) ? `"${mark}"` : part));
  if (marked === text) return [];
  const places: string[] = [];
  const look = (value: unknown, place: string[]): void => {
    if (value === mark) places.push(place.join('.'));
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) look(part, [...place, name]);
  };
  look(JSON.parse(marked), []);
  return places;
}
