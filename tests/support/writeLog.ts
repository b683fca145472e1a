import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A row that some server wrote, as the database saw it. */
export interface Write {
  /** Ascending; of rows of one book in the order in which their transactions held it. */
  id: number;
  /** By the database's clock, UTC ms. */
  at: number;
  /** `application_name` of the connection. */
  process: string;
  table: string;
  /** `lease`: a book changed hands. */
  kind: 'insert' | 'update' | 'lease';
  userId: string | null;
  /** The row's own id, where it has one. */
  subject: string | null;
  dealId: string | null;
  state: string | null;
  /** What a book's row says of its lease and intents. */
  holder: string | null;
  revision: number | null;
}

/** When a row is worth telling: intents move the revision, a change of holder the token. */
const TRIGGERS = `
  create trigger watched after insert or update on trade_order for each row execute function watched.tell();
  create trigger watched after insert on fill for each row execute function watched.tell();
  create trigger watched after insert on ledger for each row execute function watched.tell();
  create trigger watched after insert on equity_point for each row execute function watched.tell();
  create trigger watched after insert or update on paper_order for each row execute function watched.tell();
  create trigger watched after insert on paper_event for each row execute function watched.tell();
  create trigger watched_new after insert on deal for each row execute function watched.tell();
  create trigger watched after update on deal for each row when (old.state is distinct from new.state) execute function watched.tell();
  create trigger watched after update on book for each row
    when (old.revision is distinct from new.revision or old.lease_holder is distinct from new.lease_holder) execute function watched.tell();`;

const LOG = `
  create schema watched;
  create table watched.write (
    id bigint generated always as identity primary key, at double precision, process text, "table" text, kind text,
    user_id text, subject text, deal_id text, state text, holder text, revision bigint);
  create function watched.tell() returns trigger language plpgsql security definer as $$
    declare
      r jsonb := to_jsonb(new);
      w watched.write;
    begin
      insert into watched.write (at, process, "table", kind, user_id, subject, deal_id, state, holder, revision)
      values (extract(epoch from clock_timestamp()) * 1000, current_setting('application_name'), tg_table_name,
        case when tg_table_name = 'book' and (to_jsonb(old)->>'lease_holder') is distinct from (r->>'lease_holder')
          then 'lease' else lower(tg_op) end,
        coalesce(r->>'user_id', r->>'account'), coalesce(r->>'id', r->>'client_id', r->>'sequence'), r->>'deal_id',
        coalesce(r->>'state', r->'report'->>'state'), r->>'lease_holder', (r->>'revision')::bigint)
      returning * into w;
      perform pg_notify('watched', row_to_json(w)::text);
      return null;
    end $$;`;

interface Row extends Omit<Write, 'userId' | 'dealId'> {
  user_id: string | null;
  deal_id: string | null;
}

/** Hears of every row that the engines and venues on a PostgreSQL database write, at the moment it is committed. */
export class WriteLog {
  readonly writes: Write[] = [];
  readonly #client: pg.Client;
  readonly #listeners = new Set<(write: Write) => void>();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** On a database that has the schema. */
  static async open(url: string): Promise<WriteLog> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(LOG + TRIGGERS);
    const log = new WriteLog(client);
    client.on('notification', ({ payload }) => log.#hear(JSON.parse(payload ?? '') as Row));
    await client.query('listen watched');
    return log;
  }

  /** Whose lease each book is under, by the name of the process, as far as it was heard. */
  get holders(): Map<string, string> {
    const holders = new Map<string, string>();
    for (const { kind, userId, holder, process } of this.writes) {
      if (kind !== 'lease' || userId === null) continue;
      if (holder === null) holders.delete(userId);
      else holders.set(userId, process);
    }
    return holders;
  }

  /** The next write from now on that is wanted; undefined when it does not come in time. */
  async next(wanted: (write: Write) => boolean, patienceMs: number): Promise<Write | undefined> {
    let hear: (write: Write) => void = () => {};
    const heard = new Promise<Write>((resolve) => {
      hear = (write) => wanted(write) && resolve(write);
      this.#listeners.add(hear);
    });
    const late = new AbortController();
    const found = await Promise.race([
      heard,
      sleep(patienceMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    this.#listeners.delete(hear);
    return found;
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  #hear({ user_id, deal_id, ...row }: Row): void {
    const write = { ...row, userId: user_id, dealId: deal_id };
    this.writes.push(write);
    for (const listener of this.#listeners) listener(write);
  }
}

/** Whether a write is an engine's or its venue's: of what is listened to, calls write the intents in the books alone. */
export const isEngineWrite = ({ table }: Write): boolean => table !== 'book';
