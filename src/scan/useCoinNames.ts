import { useMemo } from 'react';
import { market } from '#contract/market';
import { HOME_SOURCE } from '@/services/home';
import { useCall } from '@/services/useCall';

/** What coins are called beside their symbols, as far as the market that the console opens on lists them. */
export function useCoinNames(): (base: string) => readonly string[] {
  const { data } = useCall(market.symbol, { query: { source: HOME_SOURCE } });
  const names = useMemo(() => new Map(data?.list.map((row) => [row.base, row.names])), [data]);
  return (base) => names.get(base) ?? [];
}
