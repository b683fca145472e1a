import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { TEMPLATE } from './template';

/** A database of its own on the PostgreSQL of the tests. */
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

/** Makes a database with empty tables of today's schema, or one without any. */
export async function postgresDatabase(template: 'schema' | 'nothing' = 'schema'): Promise<PostgresDatabase> {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('There is no PostgreSQL: the jest project has to start one.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(server, `create database ${name} template ${template === 'schema' ? TEMPLATE : 'template0'}`);
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, drop: () => run(server, `drop database ${name} with (force)`) };
}
