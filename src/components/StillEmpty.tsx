/** While the user is not known the root stays empty, beside which the page's own empty frame stands; see plugin.ts. */
export default function StillEmpty() {
  return null;
}
