import type { FastifyInstance } from 'fastify';
import { type ApiKeyRow, apiKey as api } from '#contract/apiKey';
import { noteChange } from '../../base/http/auditTrail';
import { notFound } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { assignKey, createKey, editKey, removeKey, rotateKey, switchKey, testKey } from '../../people/apiKey/changeKey';
import { keyHeld } from '../../people/apiKey/keyHeld';
import { keyAccounts, keyListing, keyRows } from '../../people/apiKey/keyRow';
import type { Deps } from '../deps';

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

  route(app, api.held, ({ user, query: { id } }) => keyHeld(deps, user.id, id));

  route(app, api.create, async ({ user, body, request }) => {
    const row = await rowOf(user.id, await createKey(deps, user.id, body));
    noteChange(request, {}, told(row));
    return row;
  });
  route(app, api.test, ({ user, body }) => testKey(deps, user.id, body));

  route(app, api.rotate, async ({ user, body, request }) => {
    const before = await rowOf(user.id, body.id);
    await rotateKey(deps, user.id, body);
    const row = await rowOf(user.id, body.id);
    noteChange(request, replaced(before), replaced(row));
    return row;
  });

  route(app, api.edit, async ({ user, body, request }) => {
    const before = await rowOf(user.id, body.id);
    await editKey(deps, user.id, body);
    const row = await rowOf(user.id, body.id);
    noteChange(request, told(before), told(row));
    return row;
  });

  route(app, api.status, async ({ user, body, request }) => {
    const before = await rowOf(user.id, body.id);
    await switchKey(deps, user.id, body);
    const row = await rowOf(user.id, body.id);
    noteChange(request, switched(before), switched(row));
    return row;
  });

  route(app, api.remove, async ({ user, body: { id }, request }) => {
    const before = await rowOf(user.id, id);
    await removeKey(deps, user.id, id);
    noteChange(request, told(before), {});
    return { id };
  });

  route(app, api.account, async ({ user, body: { accountId, id = null }, request }) => {
    const before = (await keyAccounts(db, user.id)).find((one) => one.id === accountId)?.apiKeyId ?? null;
    await assignKey(deps, user.id, accountId, id);
    const rows = await keyRows(db, deps, user.id);
    const wordOf = (keyId: string | null) => {
      const key = rows.find((row) => row.id === keyId);
      return key === undefined ? keyId : `${key.name} ${key.maskedKey}`;
    };
    noteChange(request, { id: wordOf(before) }, { id: wordOf(id) });
    return { accountId, id };
  });
}

/** What the audit log is told of a key: nothing that opens anything. */
const told = ({ exchange, name, maskedKey, subAccount, note }: ApiKeyRow) => ({
  exchange,
  name,
  maskedKey,
  subAccount,
  note,
});

const replaced = ({ name, maskedKey, rotatedAt }: ApiKeyRow) => ({
  name,
  maskedKey,
  // Two keys may end alike.
  rotatedAt: rotatedAt && `${new Date(rotatedAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
});

const switched = ({ name, enabled }: ApiKeyRow) => ({ name, enabled });
