import { Select } from 'antd';
import { venueName } from '#contract/candle';
import { useVenues } from '@/services/useVenues';

interface VenueSelectProps {
  value?: string;
  onChange?: (venue: string) => void;
  id?: string;
}

/** Where a strategy trades. */
export function VenueSelect(props: VenueSelectProps) {
  const options = useVenues().map((value) => ({ value, label: venueName(value) }));
  return <Select<string> {...props} aria-label="交易所" options={options} popupMatchSelectWidth={false} />;
}
