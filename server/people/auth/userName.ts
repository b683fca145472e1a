import { invalid } from '../../base/http/refusal';

/** Chinese, Japanese and Korean are written with Latin letters among them; every other script is used alone. */
const EAST_ASIAN = ['Latin', 'Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul'];
/** The scripts of living languages in common use (Unicode Standard Annex 31, table 5). */
const ALONE =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';

const WRITINGS = [EAST_ASIAN, ...ALONE.split(' ').map((script) => [script])].map(
  (scripts) => new RegExp(`^[${scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('')}0-9._-]+$`, 'u'),
);
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/**
 * What looks like a Latin letter or a digit in one of its cases: the likes of `l` last. The whole table of Unicode would
 * refuse names in scripts of their own for the sake of signs that no name may have.
 */
const LIKES: Record<string, string> = Object.fromEntries(
  [
    'aаα',
    'bвβ',
    'cсϲ',
    'dԁ',
    'eеε',
    'hнһη',
    'jјϳ',
    'kкκ',
    'mмμ',
    'o0оοσօ',
    'pрρ',
    'qԛ',
    'sѕ',
    'tтτ',
    'vѵν',
    'wԝ',
    'xхχ',
    'yуγ',
    'zζ',
    'l1iіӏıι',
  ].flatMap(([letter = '', ...likes]) => likes.map((like) => [like, letter])),
);

/** What is left of a name when all that a reader mistakes for another is the same. */
function skeletonOf(name: string): string {
  const letters = [...name.normalize('NFKC').toLowerCase()].map((letter) => LIKES[letter] ?? letter);
  return letters.join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** Whether other names can be mistaken for this one. */
export function looksLike(name: string): (other: string) => boolean {
  const skeleton = skeletonOf(name);
  return (other) => skeletonOf(other) === skeleton;
}

/** Refuses a name that is written to be taken for another. @throws 400 at `username`. */
export function checkName(name: string): void {
  const isPlain = name.normalize('NFKC') === name && !INVISIBLE.test(name);
  if (isPlain && WRITINGS.some((writing) => writing.test(name))) return;
  throw invalid(
    'username',
    '用户名不能混用不同文字的字母（汉字与拉丁字母可以同用），也不能含有全角、组合或不可见的字符',
  );
}
