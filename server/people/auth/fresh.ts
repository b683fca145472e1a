import type { FastifyInstance } from 'fastify';
import type { BodyOf, DataOf } from '#contract/endpoint';
import { secondFactor } from '#contract/secondFactor';
import { type security as api, FRESH_MS } from '#contract/security';
import type { User } from '#contract/user';
import { user as userApi } from '#contract/user';
import type { Queries } from '../../base/db/client';
import { markProven } from '../../base/db/users/session';
import type { NamedCall } from '../../base/http/idempotency';
import { invalid, refused } from '../../base/http/refusal';
import { provePassword } from './ownPassword';
import { checkCode, type FactorDeps, hasSecondFactor } from './secondFactor';
import { stillSignedIn } from './verified';

/** What a master may do who has to set up a second factor first. */
const SETTING_UP = new Set<unknown>([userApi.current, secondFactor.state, secondFactor.begin, secondFactor.confirm]);

/** Refuses everything but the way to a second factor to a master who must have one and has none. */
export function refuseWithoutFactor(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ factorNeeded, routeOptions }) => {
    const { endpoint } = routeOptions.config;
    if (!factorNeeded || endpoint === undefined || endpoint.right === 'open' || SETTING_UP.has(endpoint)) return;
    throw refused('masterFactorNeeded');
  });
}

/** Real orders are for who has a second factor and has proved to be himself just now. @throws factorForLive, freshNeeded */
export async function proveReal(db: Queries, { user, request }: NamedCall): Promise<void> {
  if (!(await hasSecondFactor(db, user.id))) throw refused('factorForLive');
  if (!request.isFresh) throw refused('freshNeeded');
}

/**
 * Marks the session as that of somebody who has just proved to be its user: by a code of the second factor, by the
 * password where there is none. What needs both steps to sign in needs more than a known password here too.
 * @throws as `provePassword`; secondFactorNeeded, wrongCode, secondFactorOff at `code`; 400 unless it is one of the two; 401, 429.
 */
export async function proveFresh(
  deps: FactorDeps,
  user: User,
  { password, code }: BodyOf<typeof api.prove>,
  tokenHash: string,
): Promise<DataOf<typeof api.prove>> {
  if ((password === undefined) === (code === undefined)) throw invalid('password', '请输入当前密码或验证码，二者之一');
  if (password === undefined) await proveCode(deps, user, code ?? '');
  else if (await hasSecondFactor(deps.db, user.id)) throw refused('secondFactorNeeded', '', 'code');
  else await provePassword(deps, user, password);
  const now = deps.clock();
  await deps.db.transaction(async (tx) => {
    await stillSignedIn(tx, user, tokenHash);
    await markProven(tx, tokenHash, now);
  });
  return { freshUntil: now + FRESH_MS };
}

async function proveCode(deps: FactorDeps, user: User, code: string): Promise<void> {
  if (!(await hasSecondFactor(deps.db, user.id))) throw refused('secondFactorOff', '', 'code');
  if (!(await checkCode(deps, user.id, code))) throw refused('wrongCode', '', 'code');
}
