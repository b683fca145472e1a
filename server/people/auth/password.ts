import { hash, verify } from '@node-rs/argon2';
import { tooMany } from '../../base/http/refusal';
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
