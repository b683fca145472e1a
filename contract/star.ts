import { Array as Arr, Object as Obj, Optional, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { Text } from './value';

/** Coins that a user watches at most. */
export const MOST_STARS = 200;

const Coin = Text({ title: '币种', minLength: 1, maxLength: 64, description: '基础币，如 BTC' });
const Stars = Obj({ coins: Arr(Str(), { description: '自选的币种，按名称排列' }) });

/** Of a list of the market: only these coins. */
export const watched = {
  coins: Optional(Text({ title: '自选', maxLength: 13_000, description: '只要这些基础币，逗号分隔' })),
};

/** Whether a coin is among those of `watched`. */
export const isWatched = (coins: string, base: string): boolean => `,${coins},`.includes(`,${base},`);

export const star = {
  list: endpoint({
    method: 'GET',
    path: '/api/star',
    right: 'signedIn',
    tag: '自选',
    summary: '本人自选的币种',
    data: Stars,
  }),
  add: endpoint({
    method: 'PUT',
    path: '/api/star',
    right: 'signedIn',
    tag: '自选',
    summary: `加入自选；连同已有的最多 ${MOST_STARS} 个`,
    body: Obj(
      { coins: Arr(Coin, { title: '币种', minItems: 1, maxItems: MOST_STARS }) },
      { additionalProperties: false },
    ),
    data: Stars,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/star',
    right: 'signedIn',
    tag: '自选',
    summary: '移出自选；不在其中也算成功',
    body: Obj({ coin: Coin }, { additionalProperties: false }),
    data: Stars,
  }),
};
