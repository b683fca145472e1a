import type { FormRule } from 'antd';
import * as REFUSALS from '#contract/codes';
import type { HedgeDesk, HedgeSettings } from '#contract/kinds/hedge/config';
import { LEG_LABEL, type Leg } from '#contract/lifecycle';

const OTHER = { long: 'short', short: 'long' } as const;

/** What the console can tell by itself of a side of a new pair; the server has the last word. */
export function pairRules(side: Leg, { pairs, settings }: HedgeDesk & { settings: HedgeSettings }): FormRule[] {
  return [
    { required: true, message: `请输入${LEG_LABEL[side]}` },
    ({ getFieldValue }) => ({
      validator: async (_rule, symbol?: string): Promise<void> => {
        if (!symbol) return;
        if (settings.blacklist.includes(symbol)) throw new Error(REFUSALS.pairBlacklisted.message);
        const other = getFieldValue(OTHER[side]) as string | undefined;
        if (symbol === other) throw new Error(REFUSALS.pairSameSymbol.message);
        // Once is enough: the second side says it.
        if (side === 'long') return;
        const known = pairs.some(
          (pair) => pair.long === other && pair.short === symbol && pair.source === settings.source,
        );
        if (known) throw new Error(REFUSALS.pairExists.message);
      },
    }),
  ];
}
