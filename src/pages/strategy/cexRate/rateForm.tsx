import { Select } from 'antd';
import { SIMULATED_SOURCES } from '#contract/candle';
import { CexRateParams, cexRateErrors } from '#contract/cexRate';
import { cexRateScan } from '#contract/cexRateScan';
import { schemaForm } from '@/form/schemaForm';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';

interface CoinsProps {
  venues: readonly string[];
  value?: string[];
  onChange?: (coins: string[]) => void;
}

/** Coins whose perpetuals both venues list, by net APR. */
function CoinsSelect({ venues, value, onChange }: CoinsProps) {
  const query = { sources: venues.join(','), pageSize: 200, sort: '-netApr' } as const;
  const { data, isLoading } = useCall(cexRateScan.list, { query });
  return (
    <Select
      mode="multiple"
      aria-label="币种"
      placeholder="至少一个币种"
      maxCount={20}
      loading={isLoading}
      value={value ?? []}
      onChange={onChange}
      options={(data?.list ?? []).map(({ base }) => ({ value: base, label: base }))}
    />
  );
}

const percent = { unit: '%', scale: 100, step: 0.5 };
const choices = SIMULATED_SOURCES.map((value) => ({ value, label: venueLabel(value) }));

/** How a coin's perpetuals are held against each other at two venues: the contract's params as a form. */
export const rateForm = schemaForm(CexRateParams, {
  groups: [
    { title: '标的与规模', fields: ['long', 'short', 'coins', 'legNotional', 'leverage', 'maxDeals'] },
    { title: '开仓', fields: ['planHours', 'entryApr'] },
    {
      title: '平仓与风控（留空 = 不启用）',
      fields: ['exitApr', 'minHoldingHours', 'takeProfit', 'stopLoss', 'maxHoldingHours', 'dailyLossLimit'],
    },
    { title: '下单', fields: ['slippageCap'] },
  ],
  fields: {
    long: { choices, dependsOn: ['short'] },
    short: { choices, dependsOn: ['long'] },
    coins: {
      widget: ({ long = 'simulated', short = 'simulated-okx' }) => <CoinsSelect venues={[long, short]} />,
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
    slippageCap: { unit: 'bps' },
  },
  across: cexRateErrors,
});
