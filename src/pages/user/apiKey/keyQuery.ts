import { EXCHANGES, KEY_RIGHTS, KEY_STATES } from '#contract/apiKey';
import { type StateOf, textCodec, wordCodec } from '@/components/useQueryState';
import { type Change, listQuery } from '@/table/listQuery';

/** Everything of the screen that a reload and a link keep. */
export const keyQuery = listQuery(
  {
    exchange: wordCodec(EXCHANGES, null),
    state: wordCodec(KEY_STATES, null),
    keyRight: wordCodec(KEY_RIGHTS, null),
    search: { ...textCodec(), ask: (text: string) => text.trim() || undefined },
  },
  {},
);

export type KeyQuery = StateOf<typeof keyQuery.codecs>;
export type ChangeKeys = Change<KeyQuery>;
