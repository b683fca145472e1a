import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from './postgres.mjs';

/** A database of its own on a real PostgreSQL. */
export interface PostgresDatabase {
  url: string;
  /** Whoever still uses it is cut off. */
  drop(): Promise<void>;
}

/** Runs a statement on a connection of its own. */
async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes an empty database. @throws with one line when there is no PostgreSQL and none can be installed. */
export async function postgresDatabase(): Promise<PostgresDatabase> {
  const server = await startPostgres();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(server.url, `create database ${name} template template0`);
  const url = new URL(server.url);
  url.pathname = name;
  return {
    url: url.href,
    drop: async () => {
      await run(server.url, `drop database ${name} with (force)`);
      await server.stop();
    },
  };
}
