/** What of an endpoint nobody in the browser reads: its schemas but that of the body, and its words. */
const UNREAD = new Set(['data', 'query', 'summary', 'tag']);
const CONTRACT = /[\\/]contract[\\/](?:\w+[\\/])*\w+\.ts$/;

interface Property {
  type: string;
  key?: { name?: string };
}

interface CallPath {
  node: { callee: { name?: string }; arguments: { type: string; properties?: Property[] }[] };
  parent: { type: string };
  getFunctionParent(): unknown;
  addComment(where: 'leading', text: string): void;
}

/**
 * Babel: the contract for the browser. An endpoint keeps what a call needs of it, and a schema that nobody takes may go: making
 * one does nothing else.
 */
export const leanContract = () => ({
  visitor: {
    CallExpression(path: CallPath, { filename = '' }: { filename?: string }) {
      if (!CONTRACT.test(filename) || path.getFunctionParent() !== null) return;
      if (path.parent.type !== 'ExpressionStatement') path.addComment('leading', '#__PURE__');
      const [row] = path.node.arguments;
      if (path.node.callee.name !== 'endpoint' || row?.properties === undefined) return;
      row.properties = row.properties.filter(({ key }) => !UNREAD.has(key?.name ?? ''));
    },
  },
});
