import { BASKET_SIZE } from '#contract/pair';
import { toast } from '@/components/toast';
import type { SelectionState } from './selectionQuery';

export type Side = 'long' | 'short';
const OTHER: Record<Side, Side> = { long: 'short', short: 'long' };

type Change = Partial<Pick<SelectionState, Side>>;

/** The coins chosen for a pair, kept in the URL; a coin is on one side only. */
export function useBaskets({ long, short }: Record<Side, string[]>, change: (change: Change) => void) {
  const chosen = { long, short };
  const remove = (side: Side, symbol: string) => change({ [side]: chosen[side].filter((one) => one !== symbol) });
  const toggle = (side: Side, symbol: string) => {
    if (chosen[side].includes(symbol)) return remove(side, symbol);
    if (chosen[side].length >= BASKET_SIZE) return toast.info(`每边最多 ${BASKET_SIZE} 个币种`);
    change({
      [side]: [...chosen[side], symbol],
      [OTHER[side]]: chosen[OTHER[side]].filter((one) => one !== symbol),
    });
  };
  const swap = () => change({ long: short, short: long });
  const clear = () => change({ long: [], short: [] });
  return { long, short, toggle, remove, swap, clear };
}

export type Baskets = ReturnType<typeof useBaskets>;
