import { Select } from 'antd';
import { venueName } from '#contract/candle';
import { useVenues } from '@/services/useVenues';

interface VenueSelectProps {
  value?: string;
  onChange?: (venue: string) => void;
  id?: string;
  label?: string;
}

/** Where a strategy trades. */
export function VenueSelect({ label = '交易所', ...props }: VenueSelectProps) {
  const options = useVenues().map((value) => ({ value, label: venueName(value) }));
  return <Select<string> {...props} aria-label={label} options={options} popupMatchSelectWidth={false} />;
}
