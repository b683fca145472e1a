import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A connection that carries nothing is asked for a sign of life this often. */
const BEAT_MS = 10_000;
/** How long an answer may take before the connection counts as lost. */
const PATIENCE_MS = 4_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

const SEND = 'select pg_notify($1, note) from unnest($2::text[]) note';

export interface ChannelListener {
  /** A note that a process sent, this one too. */
  onNote(text: string): void;
  /** The connection is there again; what others sent meanwhile was not heard. */
  onBack(): void;
  onLost(error: Error): void;
}

/** Notes of under 8,000 bytes between all processes on one database; notes of one sender arrive in their order. */
export interface Channel {
  /**
   * Sends all in one transaction, in which equal notes count once.
   * @throws when they may not have been sent: then `onBack` follows.
   */
  send(notes: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A channel over a connection of its own, which is made anew whenever it is lost. */
export class PostgresChannel implements Channel {
  readonly #url: string;
  readonly #name: string;
  readonly #listener: ChannelListener;
  /** The present connection, made or in the making. */
  #client: pg.Client | undefined;
  #isUp = false;
  #wasLost = false;
  #isClosed = false;
  #failures = 0;
  #beats: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;

  private constructor(url: string, name: string, listener: ChannelListener) {
    this.#url = url;
    this.#name = name;
    this.#listener = listener;
  }

  /** Answers after the first attempt to connect; when it failed, others follow. */
  static async open(url: string, name: string, listener: ChannelListener): Promise<Channel> {
    const channel = new PostgresChannel(url, name, listener);
    await channel.#connect();
    return channel;
  }

  async send(notes: readonly string[]): Promise<void> {
    const client = this.#client;
    if (client === undefined || !this.#isUp) throw new Error(`the channel ${this.#name} has no connection`);
    try {
      await client.query(SEND, [this.#name, notes]);
    } catch (error) {
      this.#lose(client, error as Error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    clearInterval(this.#beats);
    const client = this.#client;
    this.#client = undefined;
    // A server that is gone does not answer the farewell.
    await Promise.race([client?.end(), sleep(PATIENCE_MS, undefined, { ref: false })]);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: `hedge-console ${this.#name}`,
      keepAlive: true,
      // A sign of life may be asked for while notes are sent.
      pipeline: true,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    this.#client = client;
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the connection ended')));
    client.on('notification', ({ payload }) => {
      if (client === this.#client) this.#listener.onNote(payload ?? '');
    });
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(this.#name)}`);
    } catch (error) {
      return this.#lose(client, error as Error);
    }
    // It may have been lost or closed meanwhile.
    if (client !== this.#client) return;
    this.#isUp = true;
    this.#beats = setInterval(() => void this.#beat(client), BEAT_MS).unref();
    if (this.#wasLost) this.#listener.onBack();
  }

  /** A peer that vanished without a word is found by its silence. */
  async #beat(client: pg.Client): Promise<void> {
    try {
      await client.query('select 1');
      this.#failures = 0;
    } catch (error) {
      this.#lose(client, error as Error);
    }
  }

  #lose(client: pg.Client, error: Error): void {
    if (this.#isClosed || client !== this.#client) return;
    this.#client = undefined;
    this.#isUp = false;
    this.#wasLost = true;
    clearInterval(this.#beats);
    void client.end().catch(() => undefined);
    // Many processes lose their connections at once, and shall not come back all at once.
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#pause = setTimeout(() => void this.#connect(), longest * (0.5 + Math.random() / 2));
    this.#failures += 1;
    this.#listener.onLost(error);
  }
}
