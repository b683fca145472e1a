import type { FastifyInstance } from 'fastify';
import { audit } from '#contract/audit';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { auditListing } from '../user/auditListing';

/** The audit log, for masters. */
export function auditRoutes(app: FastifyInstance, deps: Pick<Deps, 'db'>): void {
  route(app, audit.list, ({ query }) => auditListing(deps, query));
}
