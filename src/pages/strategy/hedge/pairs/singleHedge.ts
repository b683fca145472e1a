import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import type { Leg } from '#contract/lifecycle';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { askSingle, PREVIEWED, type SingleCalls } from '@/strategy/SingleDeal';
import { settingsForm } from '../settings/settingsForm';
import { waitWords } from './WaitingHedges';

const callsOf = (pair: Record<Leg, string>): SingleCalls<HedgeSettings> => ({
  usePreview: (params, mode) => useCall(hedge.singlePreview, { body: { params, mode, ...pair } }, PREVIEWED),
  open: ({ params }, confirmed, idempotencyKey) =>
    call(hedge.single, { body: { params, ...pair, ...confirmed } }, { idempotencyKey }),
});

/** Asks whether one hedge is opened beside the pairs of the desk, by its settings or others. */
export const askHedge = (settings: HedgeSettings, { long, short }: Record<Leg, string>, onOpened: () => void): void =>
  askSingle({
    ...{ kind: 'hedge', form: settingsForm, draft: { name: `多 ${long} / 空 ${short}`, params: settings } },
    calls: callsOf({ long, short }),
    edits: ['legNotional', 'leverage', 'entry', 'entryZ', 'exitZ', 'stopLoss', 'takeProfit', 'maxHoldingHours'],
    shows: ['ratio', 'rebalance', 'orderType', 'slippageCap'],
    later: { block: 'waitsForZ', words: ({ entryZ }, z) => `${waitWords(entryZ, z)}时开仓` },
    onOpened,
  });
