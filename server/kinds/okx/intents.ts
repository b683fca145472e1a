import { SECOND_MS } from '#contract/duration';
import type { OkxParams } from '#contract/kinds/okx/params';
import { ONCE_SECONDS } from '#contract/lifecycle';
import { moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { askOnce, changeStrategy } from '../../base/db/strategies/strategy';
import { noteStrategy } from '../../base/db/strategies/strategyGuard';
import { invalid, refused } from '../../base/http/refusal';
import { type Asker, ownBook } from '../../desk/strategy/bookIntents';
import { mustOwnOkx } from './desk';

/** Asks for one more trade of a strategy that runs. @throws 404; `onceStopped` */
export async function tradeOnce(tx: Queries, { user, now }: Asker, id: string) {
  await ownBook(tx, user.id);
  const { state } = await mustOwnOkx(tx, user.id, id);
  if (state !== 'running') throw refused('onceStopped');
  await askOnce(tx, id, now);
  await noteStrategy(tx, { strategyId: id, at: now, kind: 'switched', detail: '执行一次', by: user.name });
  await moveBook(tx, user.id);
  return { until: now + ONCE_SECONDS * SECOND_MS };
}

/** Whether a strategy trades one of its coins or venues. @throws 404; 400 at `word` for one that it does not name */
export async function banWord(
  tx: Queries,
  { user, now }: Asker,
  { id, word, banned }: { id: string; word: string; banned: boolean },
) {
  await ownBook(tx, user.id);
  const row = await mustOwnOkx(tx, user.id, id);
  const params = row.params as OkxParams;
  if (![...params.coins, params.one, params.other].includes(word)) throw invalid('word', '策略里没有这个币种或交易所');
  const others = params.banned.filter((one) => one !== word);
  const next = banned ? [...others, word] : others;
  const version = row.version + 1;
  await changeStrategy(tx, id, { params: { ...params, banned: next }, version, updatedAt: now, updatedBy: user.name });
  const detail = banned ? `黑名单加入 ${word}` : `黑名单移出 ${word}`;
  await noteStrategy(tx, { strategyId: id, at: now, kind: 'config', detail, by: user.name });
  await moveBook(tx, user.id);
  return { banned: next, version };
}
