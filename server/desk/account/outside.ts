import type { AccountPosition, account as api } from '#contract/account';
import type { BodyOf, DataOf } from '#contract/endpoint';
import { writeIgnored } from '../../base/db/accounts/venueAccount';
import { invalid, notFound, refused } from '../../base/http/refusal';
import { symbolKey } from '../../base/symbolKey';
import { type AccountDeps, accountFacts } from './accountFacts';
import { positionsHeld } from './accountState';

const isOutside = ({ badges }: AccountPosition) => badges.includes('orphan') || badges.includes('ignored');

/**
 * Positions of a user's own account that no deal explains, with what its venue answered and the facts they are from.
 * @throws 404 for an account of anybody else; `accountUnanswered`
 */
export async function outsidePositions(deps: AccountDeps, userId: string, accountId: string) {
  const facts = await accountFacts(deps, { userId, accountId });
  if (facts === null) throw notFound('没有这个账户');
  const [answer] = facts.answers;
  if (answer === undefined) throw refused('accountUnanswered');
  return { facts, answer, positions: positionsHeld(facts, answer).filter(isOutside) };
}

/**
 * Puts on record that the owner of an account knows of a position that no deal explains, or takes that back.
 * @throws as `outsidePositions`; 400 at `symbol` where there is nothing to ignore
 */
export async function ignoreOutside(
  deps: AccountDeps,
  userId: string,
  { accountId, ignored, ...place }: BodyOf<typeof api.ignore>,
): Promise<DataOf<typeof api.ignore>> {
  const { answer, positions } = await outsidePositions(deps, userId, accountId);
  const key = symbolKey(place);
  const found = positions.find((position) => symbolKey(position) === key);
  if (ignored && found === undefined) throw invalid('symbol', '这个合约没有交易单以外的持仓，不需要忽略');
  const unexplained = ignored && found ? found.unexplained : null;
  // What is gone, or is another quantity by now, is forgotten.
  const known = positions.filter((position) => position.badges.includes('ignored') && symbolKey(position) !== key);
  const next = known.map((position) => [symbolKey(position), position.unexplained]);
  await writeIgnored(
    deps.db,
    answer.account.id,
    Object.fromEntries(unexplained ? [...next, [key, unexplained]] : next),
  );
  return { unexplained };
}
