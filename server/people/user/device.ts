import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';

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
