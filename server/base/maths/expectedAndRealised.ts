/** An opening: what was seen and what was got between both legs, fractions, and the notional of a leg. */
export interface EntryEdge {
  expected: number;
  realised: number;
  notional: number;
}

/** Edges of openings together, weighted by notional, and what part of what was seen was got; null where nothing is. */
export function expectedAndRealised(edges: readonly EntryEdge[]): {
  edgeOpen: number | null;
  edgeTaken: number | null;
  takenShare: number | null;
} {
  const notional = edges.reduce((sum, edge) => sum + edge.notional, 0);
  if (notional === 0) return { edgeOpen: null, edgeTaken: null, takenShare: null };
  const edgeOpen = edges.reduce((sum, edge) => sum + edge.expected * edge.notional, 0) / notional;
  const edgeTaken = edges.reduce((sum, edge) => sum + edge.realised * edge.notional, 0) / notional;
  return { edgeOpen, edgeTaken, takenShare: edgeOpen === 0 ? null : edgeTaken / edgeOpen };
}
