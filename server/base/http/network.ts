import ipaddr from 'ipaddr.js';

/**
 * What attempts of one caller are counted under: the address, or for IPv6 its /64, because whoever
 * has one such address has all of them.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  if (!(read instanceof ipaddr.IPv6)) return read.toString();
  const groups = read.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
