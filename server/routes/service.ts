import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { service } from '#contract/service';
import type { Deps } from '../app';
import { route } from '../route';

/** Whether the server lives, and what it is. */
export function serviceRoutes(app: FastifyInstance, { db, config, preparing }: Deps): void {
  route(app, service.health, async ({ user }) => {
    const ready = await db.execute(sql`select 1`).then(
      () => true,
      () => false,
    );
    return { live: true, ready, ...(user ? { version: config.version } : {}) };
  });

  route(app, service.environment, async () => ({ ...config.environment, preparing: preparing?.() ?? false }));
}
