/**
 * What exchanges call an order of ours: the same 128 bits in small letters and digits, which every exchange that is
 * followed takes whole (the shortest allows 28 characters, the strictest letters and digits alone).
 */
const PREFIX = 'h';
const RADIX = 36;
const DIGITS = 25;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const OURS = new RegExp(`^${PREFIX}[0-9a-z]{${DIGITS}}$`);

/** @param clientId ours, a UUID */
export function exchangeIdOf(clientId: string): string {
  if (!UUID.test(clientId)) throw new TypeError('an order of ours is called by a UUID');
  const number = BigInt(`0x${clientId.replaceAll('-', '')}`);
  return PREFIX + number.toString(RADIX).padStart(DIGITS, '0');
}

/** Ours by what an exchange calls an order; null where somebody else sent it. */
export function ourIdOf(exchangeId: string): string | null {
  if (!OURS.test(exchangeId)) return null;
  let number = 0n;
  for (const digit of exchangeId.slice(PREFIX.length))
    number = number * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX));
  const hex = number.toString(16).padStart(32, '0');
  if (hex.length > 32) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
