import { EXCHANGES, KEY_RIGHTS, KEY_STATE_LABEL, type KeyState } from '#contract/apiKey';
import { textCodec, wordCodec } from '@/components/useQueryState';
import { listQuery } from '@/table/listQuery';

/** Everything of the screen that a reload and a link keep. */
export const keyQuery = listQuery(
  {
    exchange: wordCodec(EXCHANGES, null),
    state: wordCodec(Object.keys(KEY_STATE_LABEL) as KeyState[], null),
    keyRight: wordCodec(KEY_RIGHTS, null),
    search: { ...textCodec(), ask: (text: string) => text.trim() || undefined },
  },
  {},
);
