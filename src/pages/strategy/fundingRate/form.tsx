import type { ComponentProps } from 'react';
import { FundingParams, fundingErrors } from '#contract/kinds/fundingRate/params';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { schemaForm } from '@/form/schemaForm';
import { VenueSelect } from '@/form/VenueSelect';
import { CoinsSelect } from '@/scan/CoinsSelect';
import { venueLabel } from '@/scan/venueLabel';
import { HOME_SOURCE } from '@/services/home';
import { useCall } from '@/services/useCall';

interface CoinsProps extends Omit<ComponentProps<typeof CoinsSelect>, 'coins'> {
  source: string;
}

/** Coins that a venue lists both ways, by net APR. */
function CarryCoins({ source, ...field }: CoinsProps) {
  const { data } = useCall(fundingScan.list, { query: { source, pageSize: 200, sort: '-netApr' } });
  return <CoinsSelect coins={data?.list.map(({ base }) => base)} {...field} />;
}

const percent = { unit: '%', scale: 100, step: 0.5 };

/** How coins are held against their perpetuals: the contract's params as a form, one row a parameter. */
export const form = schemaForm(FundingParams, {
  first: ['source', 'coins', 'legNotional', 'entryApr'],
  groups: [
    { title: '标的与规模', fields: ['source', 'coins', 'legNotional', 'leverage', 'maxDeals', 'coinCap'] },
    { title: '开仓', fields: ['planHours', 'entryApr', 'roundStep'] },
    {
      title: '平仓与风控（留空 = 不启用）',
      fields: ['flipRate', 'exitApr', 'maxHoldingHours', 'stopLoss', 'dailyLossLimit'],
    },
    { title: '下单', fields: ['slices', 'sliceSeconds', 'slippageCap'] },
  ],
  fields: {
    source: { widget: () => <VenueSelect />, text: venueLabel },
    coins: {
      widget: ({ source = HOME_SOURCE }) => <CarryCoins source={source} />,
      text: (coins) => coins.join('、'),
    },
    legNotional: { unit: 'USDT', step: 500, dependsOn: ['slices'] },
    leverage: { unit: '倍' },
    maxDeals: { unit: '轮' },
    coinCap: { unit: 'USDT', step: 1000, dependsOn: ['legNotional'] },
    planHours: { unit: '小时', step: 24 },
    entryApr: percent,
    roundStep: percent,
    flipRate: { unit: '%', scale: 100, step: 0.01 },
    exitApr: percent,
    maxHoldingHours: { unit: '小时', step: 24, dependsOn: ['planHours'] },
    stopLoss: percent,
    dailyLossLimit: { unit: 'USDT', step: 100 },
    slices: { unit: '份', dependsOn: ['legNotional'] },
    sliceSeconds: { unit: '秒', step: 5 },
    slippageCap: { unit: 'bps' },
  },
  across: fundingErrors,
});
