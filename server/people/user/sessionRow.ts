import Bowser from 'bowser';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Origin, SessionRow } from '#contract/sessionRow';
import type { StoredSession } from '../../base/db/users/session';
import { expiryOf } from '../auth/session';

const LOCAL = new Set(['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

/** Where an address is, as far as it says so itself. A city would need a service that is told who signs in from where. */
export function originOf(address: string): Origin {
  if (!ipaddr.isValid(address)) return 'unknown';
  const range = ipaddr.process(address).range();
  if (range === 'loopback') return 'loopback';
  if (LOCAL.has(range)) return 'private';
  return range === 'unicast' ? 'public' : 'unknown';
}

/** The same few browsers come again and again. */
const known = new LRUCache<string, { name: string | null }>({ max: 500 });

/** Browser and system that a `User-Agent` header names, such as `Chrome 141 · Windows 10`; null when it names none. */
export function deviceOf(userAgent: string): string | null {
  const kept = known.get(userAgent);
  if (kept) return kept.name;
  const name = userAgent === '' ? null : read(userAgent);
  known.set(userAgent, { name });
  return name;
}

function read(userAgent: string): string | null {
  const { browser, os } = Bowser.parse(userAgent);
  const version = browser.version?.split('.')[0];
  const parts = [
    [browser.name, version].filter(Boolean).join(' '),
    [os.name, os.versionName ?? os.version].filter(Boolean).join(' '),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(' · ');
}

/** @param currentId of the session that asks. */
export const sessionRow = (row: StoredSession, currentId: string | undefined): SessionRow => ({
  id: row.id,
  current: row.id === currentId,
  address: row.address,
  origin: originOf(row.address),
  userAgent: row.userAgent,
  device: deviceOf(row.userAgent),
  createdAt: row.createdAt,
  seenAt: row.seenAt,
  expiresAt: expiryOf(row),
});
