import { createHash, randomInt } from 'node:crypto';

/** Without what is mistaken for something else: no 0, 1, I, L, O, U. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code that nobody guesses, in groups that can be read aloud; five letters of it are 24 bits. */
export function newCode(groups: number): string {
  const group = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** SHA-256 of a code, however it was typed; `salt` makes the same code of two owners differ. */
export function hashOfCode(code: string, salt = ''): string {
  const letters = code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '');
  return createHash('sha256').update(`${salt} ${letters}`).digest('hex');
}
