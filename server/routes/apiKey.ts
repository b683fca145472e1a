import type { FastifyInstance } from 'fastify';
import { type ApiKeyRow, apiKey as api } from '#contract/apiKey';
import { assignKey, createKey, editKey, removeKey, rotateKey, switchKey, testKey } from '../apiKey/changeKey';
import { keyAccounts } from '../apiKey/keyAccounts';
import { keyListing } from '../apiKey/keyListing';
import { keyRows } from '../apiKey/keyRow';
import type { Deps } from '../deps';
import { notFound } from '../http/refusal';
import { route } from '../http/route';

/** A user's keys at exchanges. None of the writes is kept by its idempotency key: its body holds secrets. */
export function apiKeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, vault, keyCheck } = deps;

  async function rowOf(userId: string, id: string): Promise<ApiKeyRow> {
    const row = (await keyRows(db, deps, userId)).find((one) => one.id === id);
    if (row === undefined) throw notFound('没有找到该密钥');
    return row;
  }

  route(app, api.list, async ({ user, query }) => keyListing(await keyRows(db, deps, user.id), query));

  route(app, api.desk, async ({ user }) => ({
    closed: vault.closed,
    exchange: keyCheck && {
      simulated: keyCheck.simulated,
      outboundIp: keyCheck.outboundIp,
      examples: [...keyCheck.examples],
    },
    accounts: await keyAccounts(db, user.id),
  }));

  route(app, api.create, async ({ user, body }) => rowOf(user.id, await createKey(deps, user.id, body)));
  route(app, api.test, ({ user, body }) => testKey(deps, user.id, body));

  route(app, api.rotate, async ({ user, body }) => {
    await rotateKey(deps, user.id, body);
    return rowOf(user.id, body.id);
  });

  route(app, api.edit, async ({ user, body }) => {
    await editKey(deps, user.id, body);
    return rowOf(user.id, body.id);
  });

  route(app, api.status, async ({ user, body }) => {
    await switchKey(deps, user.id, body);
    return rowOf(user.id, body.id);
  });

  route(app, api.remove, async ({ user, body: { id } }) => {
    await removeKey(deps, user.id, id);
    return { id };
  });

  route(app, api.account, async ({ user, body: { accountId, id = null } }) => {
    await assignKey(deps, user.id, accountId, id);
    return { accountId, id };
  });
}
