import ipaddr from 'ipaddr.js';
import type { Origin } from '#contract/session';

const LOCAL = new Set(['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

/** Where an address is, as far as it says so itself. A city would need a service that is told who signs in from where. */
export function originOf(address: string): Origin {
  if (!ipaddr.isValid(address)) return 'unknown';
  const range = ipaddr.process(address).range();
  if (range === 'loopback') return 'loopback';
  if (LOCAL.has(range)) return 'private';
  return range === 'unicast' ? 'public' : 'unknown';
}
