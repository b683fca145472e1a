import type { ComponentProps } from 'react';
import { CexRateParams, cexRateErrors } from '#contract/kinds/cexRate/params';
import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { schemaForm } from '@/form/schemaForm';
import { VenueSelect } from '@/form/VenueSelect';
import { CoinsSelect } from '@/scan/CoinsSelect';
import { venueLabel } from '@/scan/venueLabel';
import { HOME_SOURCE, SECOND_SOURCE } from '@/services/home';
import { useCall } from '@/services/useCall';
import { entryHelp } from '@/strategy/legsEntryLabels';

interface CoinsProps extends Omit<ComponentProps<typeof CoinsSelect>, 'coins'> {
  venues: readonly string[];
}

/** Coins whose perpetuals both venues list, by net APR. */
function CoinsAtVenues({ venues, ...field }: CoinsProps) {
  const query = { sources: venues.join(','), pageSize: 200, sort: '-netApr' } as const;
  const { data } = useCall(cexRateScan.list, { query });
  return <CoinsSelect coins={data?.list.map(({ base }) => base)} {...field} />;
}

/** With the coarser one first, the other leg can hold exactly as much. */
export const RESTING_LEG = '成交较少的一腿（两所最小数量不同时为较粗的一腿）';

const percent = { unit: '%', scale: 100, step: 0.5 };

/** How a coin's perpetuals are held against each other at two venues: the contract's params as a form. */
export const form = schemaForm(CexRateParams, {
  first: ['long', 'short', 'coins', 'legNotional'],
  groups: [
    { title: '标的与规模', fields: ['long', 'short', 'coins', 'legNotional', 'leverage', 'maxDeals'] },
    { title: '开仓', fields: ['planHours', 'entryApr'] },
    {
      title: '平仓与风控（留空 = 不启用）',
      fields: ['exitApr', 'minHoldingHours', 'takeProfit', 'stopLoss', 'maxHoldingHours', 'dailyLossLimit'],
    },
    { title: '下单', fields: ['orderType', 'convertSeconds', 'slippageCap'] },
  ],
  fields: {
    long: { widget: () => <VenueSelect label="做多所" />, text: venueLabel, dependsOn: ['short'] },
    short: { widget: () => <VenueSelect label="做空所" />, text: venueLabel, dependsOn: ['long'] },
    coins: {
      widget: ({ long = HOME_SOURCE, short = SECOND_SOURCE }) => <CoinsAtVenues venues={[long, short]} />,
      text: (coins) => coins.join('、'),
    },
    legNotional: { unit: 'USDT', step: 500 },
    leverage: { unit: '倍' },
    maxDeals: { unit: '对' },
    planHours: { unit: '小时', step: 24 },
    entryApr: percent,
    exitApr: percent,
    minHoldingHours: { unit: '小时', dependsOn: ['maxHoldingHours'] },
    takeProfit: percent,
    stopLoss: percent,
    maxHoldingHours: { unit: '小时', step: 24, dependsOn: ['minHoldingHours'] },
    dailyLossLimit: { unit: 'USDT', step: 100 },
    orderType: {
      help: entryHelp(RESTING_LEG),
    },
    convertSeconds: { unit: '秒', step: 10, isIdle: ({ orderType }) => orderType !== 'maker' },
    slippageCap: { unit: 'bps' },
  },
  across: cexRateErrors,
});
