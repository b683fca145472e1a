import type { FigureTile } from '@/components/FigureTiles';

/** A figure of the account. */
export interface AccountTile extends FigureTile {
  /** Looked at each morning; the others are a click away. */
  first?: true;
}
