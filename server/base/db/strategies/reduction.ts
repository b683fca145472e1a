import type { Leg } from '#contract/lifecycle';

/**
 * What a person asked to take both legs of a deal down to: quantities, absolute in base currency, so that it is done once
 * whoever goes on with it.
 */
export interface Reduction<L extends string = Leg> {
  /** UTC ms; it names the request. */
  at: number;
  /** Of what was held; 100 is the way out of what a person closes. */
  percent: number;
  /** Rests in the book first. */
  maker: boolean;
  /** What each leg held then, and what it keeps. */
  from: Record<L, string>;
  keep: Record<L, string>;
}

interface Asked {
  state: string;
  reduction: Pick<Reduction, 'at'> | null;
  reducedAt: number | null;
}

/** Whether both legs of a deal are being taken down to what a person asked for. */
export const isReducing = ({ state, reduction, reducedAt }: Asked): boolean =>
  state === 'open' && reduction !== null && reduction.at !== reducedAt;
