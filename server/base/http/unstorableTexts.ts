/** JSON allows it, PostgreSQL keeps it in no text: U+0000, and a surrogate that stands alone. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Where in what was sent texts are that cannot be kept: `a.b.0`; of a field with such a name, where it stands. */
export function unstorableTexts(value: unknown, place: readonly string[] = []): string[] {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? [place.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    UNSTORABLE.test(name) ? [place.join('.')] : unstorableTexts(part, [...place, name]),
  );
}
