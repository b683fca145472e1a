import { COIN_SEARCH, type CoinOption } from '@/components/coinSearch';
import { SeveralSelect } from '@/components/SeveralSelect';
import { useCoinNames } from '@/scan/useCoinNames';

interface CoinsSelectProps {
  /** Those that may be chosen; undefined while they are read. */
  coins: readonly string[] | undefined;
  value?: string[];
  onChange?: (coins: string[]) => void;
}

/** The coins of a strategy, out of what its scanner lists. */
export function CoinsSelect({ coins, value, onChange }: CoinsSelectProps) {
  const namesOf = useCoinNames();
  return (
    <SeveralSelect<string[], CoinOption & { label: string }>
      aria-label="币种"
      placeholder="至少一个币种"
      maxCount={20}
      loading={coins === undefined}
      value={value ?? []}
      onChange={onChange}
      options={coins?.map((coin) => ({ value: coin, label: coin, base: coin, names: namesOf(coin) })) ?? []}
      showSearch={COIN_SEARCH}
    />
  );
}
