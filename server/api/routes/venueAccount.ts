import type { FastifyInstance } from 'fastify';
import { venueAccount } from '#contract/venueAccount';
import { refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import type { AccountDeps } from '../../desk/account/accountFacts';
import { fundAccount, insertOpened } from '../../desk/account/openAccount';
import { ownAccounts } from '../../desk/account/ownAccounts';
import { askCoin, askTransfer, coinTerms, transferListing, transferTerms } from '../../desk/account/transferring';
import { intentRoute } from '../../desk/intentRoute';
import type { OpeningActs } from '../../desk/openingActs';
import type { Deps } from '../deps';

/**
 * /api/account/list, /open and /transfer: the caller's own accounts at all venues. What waited for an account or for its
 * money is not opened because somebody brings them: it waits to be confirmed.
 */
export function venueAccountRoutes(app: FastifyInstance, deps: Deps & AccountDeps, opens: OpeningActs): void {
  /** While the past is traded, nothing of the present is: an account would wait for it without a word. */
  const refuseDuringStory = () => {
    if (deps.preparing?.() === true) throw refused('storyTold');
  };

  route(app, venueAccount.list, ({ user }) => ownAccounts(deps, user.id));

  opens.serveEnd(app, null, venueAccount.open, {
    keyRequired: true,
    waits: true,
    prepare: ({ user, body }) => {
      refuseDuringStory();
      return fundAccount(deps, user.id, body);
    },
    brings: ({ body: { amount } }, accountId) => ({ accountId, amount, isAtVenue: true }),
    write: (tx, { user, body }, id) => insertOpened(tx, user.id, id, body),
  });

  route(app, venueAccount.transfers, ({ user, query }) => transferListing(deps.db, user.id, query));

  opens.serveEnd(app, null, venueAccount.transfer, {
    keyRequired: true,
    waits: true,
    brings: ({ body: { to, amount } }) => ({ accountId: to, amount, isAtVenue: false }),
    prepare: ({ user, body }) => {
      refuseDuringStory();
      return transferTerms(deps, user.id, body);
    },
    write: (tx, { user, body }, terms) => askTransfer(tx, { userId: user.id, now: deps.clock() }, body, terms),
  });

  intentRoute(app, deps, venueAccount.transferCoin, {
    keyRequired: true,
    waits: true,
    prepare: ({ user, body }) => {
      refuseDuringStory();
      return coinTerms(deps, user.id, body);
    },
    write: (tx, { user, body }, terms) => askCoin(tx, { userId: user.id, now: deps.clock() }, body, terms),
  });
}
