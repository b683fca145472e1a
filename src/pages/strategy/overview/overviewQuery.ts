import { STRATEGY_KINDS, STRATEGY_STATES } from '#contract/strategy';
import { listCodec, textCodec, wordCodec } from '@/components/useQueryState';
import { GROUPS } from './groups';

const nameCodec = {
  read: (text: string | null): string | null => (text === '' ? null : text),
  write: (value: string | null) => value,
};

/** What of the strategies is shown, and how, in the address. */
export const overviewCodecs = {
  search: textCodec(),
  state: wordCodec(STRATEGY_STATES, null),
  kind: wordCodec(STRATEGY_KINDS, null),
  user: nameCodec,
  symbol: nameCodec,
  group: wordCodec(GROUPS, null),
  /** `field` or `-field`. */
  sort: textCodec(),
  compared: listCodec,
};
