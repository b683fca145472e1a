import type { ComponentProps } from 'react';
import { OkxParams, okxErrors } from '#contract/kinds/okx/params';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { SeveralSelect } from '@/components/SeveralSelect';
import { schemaForm } from '@/form/schemaForm';
import { VenueSelect } from '@/form/VenueSelect';
import { CoinsSelect } from '@/scan/CoinsSelect';
import { venueLabel } from '@/scan/venueLabel';
import { HOME_SOURCE, SECOND_SOURCE } from '@/services/home';
import { useCall } from '@/services/useCall';

interface CoinsProps extends Omit<ComponentProps<typeof CoinsSelect>, 'coins'> {
  venues: readonly string[];
}

/** Coins that both venues list as spot. */
function SpotCoins({ venues, ...field }: CoinsProps) {
  const query = { sources: venues.join(','), pageSize: 200, sort: 'base' } as const;
  const { data } = useCall(arbitrageScan.list, { query });
  return <CoinsSelect coins={data?.list.map(({ base }) => base)} {...field} />;
}

interface BannedProps {
  /** Coins and venues of the strategy. */
  words: readonly string[];
  value?: string[];
  onChange?: (words: string[]) => void;
}

/** What of its coins and venues a strategy trades no more. */
const Banned = ({ words, value, onChange }: BannedProps) => (
  <SeveralSelect
    aria-label="黑名单"
    placeholder="没有"
    value={value ?? []}
    onChange={onChange}
    options={words.map((word) => ({ value: word, label: venueLabel(word) }))}
  />
);

/** How gaps between two venues' spot are traded: the contract's params as a form. */
export const form = schemaForm(OkxParams, {
  first: ['one', 'other', 'coins', 'legNotional'],
  groups: [
    { title: '标的与规模', fields: ['one', 'other', 'coins', 'legNotional', 'stockNotional', 'hedge', 'maxDeals'] },
    { title: '触发', fields: ['auto', 'entryBps', 'triggers', 'maxDelayMs', 'cooldownSeconds'] },
    {
      title: '风控与下单（留空 = 不启用）',
      fields: ['maxImbalance', 'dailyNotional', 'banned', 'dailyLossLimit', 'slippageCap'],
    },
  ],
  fields: {
    one: { widget: () => <VenueSelect label="交易所 A" />, text: venueLabel, dependsOn: ['other'] },
    other: { widget: () => <VenueSelect label="交易所 B" />, text: venueLabel, dependsOn: ['one'] },
    coins: {
      widget: ({ one = HOME_SOURCE, other = SECOND_SOURCE }) => <SpotCoins venues={[one, other]} />,
      text: (coins) => coins.join('、'),
    },
    legNotional: { unit: 'USDT', step: 500, dependsOn: ['stockNotional'] },
    stockNotional: { unit: 'USDT', step: 500, dependsOn: ['legNotional'] },
    hedge: {},
    maxDeals: { unit: '笔' },
    entryBps: { unit: 'bps' },
    triggers: { unit: '次' },
    maxDelayMs: { unit: '毫秒', step: 50 },
    maxImbalance: { unit: 'USDT' },
    cooldownSeconds: { unit: '秒' },
    auto: {},
    dailyNotional: { unit: 'USDT', step: 1000 },
    banned: {
      widget: ({ one = HOME_SOURCE, other = SECOND_SOURCE, coins = [] }) => <Banned words={[...coins, one, other]} />,
      text: (banned) => banned.map(venueLabel).join('、'),
    },
    dailyLossLimit: { unit: 'USDT', step: 100 },
    slippageCap: { unit: 'bps' },
  },
  across: okxErrors,
});
