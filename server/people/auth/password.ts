import { hash, verify } from '@node-rs/argon2';
import { containsName } from '#contract/session';
import { refused, tooMany } from '../../base/http/refusal';
import { Semaphore } from '../../base/work/semaphore';

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane (Password Storage Cheat Sheet). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A well-formed hash of nothing: checking against it costs what a real check costs and never succeeds. */
const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Hashing takes a core and 19 MiB for tens of milliseconds. Two at once leave the thread pool to the
 * rest of the server; sixty-four waiting are about a second of delay, and whoever comes later is told so.
 */
const hashing = new Semaphore(2, 64, () => tooMany(2, '登录与注册的人过多'));

/** The same password typed on another keyboard may arrive composed differently. */
const bytesOf = (password: string) => password.normalize('NFKC');

/** Hashes a password with a salt of its own; answers a PHC string. Throws a 429 refusal when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return hashing.pass(() => hash(bytesOf(password), COST));
}

/**
 * Whether the password belongs to the hash. `null`, for a name that nobody has, takes the same time
 * and answers false. Throws a 429 refusal when too many wait.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await hashing.pass(() => verify(passwordHash ?? DECOY, bytesOf(password)));
  return passwordHash !== null && matches;
}

/** Refuses a password that is easily guessed; `field` is the form's field of it. @throws passwordIsName, commonPassword */
export async function checkPassword(username: string, password: string, field = 'password'): Promise<void> {
  if (containsName(password, username)) throw refused('passwordIsName', '', field);
  if (await isCommonPassword(password)) throw refused('commonPassword', '', field);
}

let known: Promise<Set<string>> | undefined;

/** The packaged list, about 49,000 passwords; read at the first registration so that the start need not wait. */
async function load(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Whether a password is on the list of the commonest ones, whatever its case. */
async function isCommonPassword(password: string): Promise<boolean> {
  known ??= load();
  return (await known).has(password.toLowerCase());
}
