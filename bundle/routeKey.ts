/**
 * In the place of the SHA-256 by which @umijs/route-utils tells menu entries without a path of their own apart: any text
 * that differs from entry to entry will do, and FNV-1a takes a hundredth of the time.
 */
export default function routeKey(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16);
}
