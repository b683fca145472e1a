import { type ServerProcess, startServer } from './serverProcess';
import { temporaryFolder } from './temporaryFolder';

interface Member {
  /** `application_name` of its connections: a new one for each start. */
  name: string;
  slot: string;
  server: ServerProcess;
}

/** Several servers, each a process of its own, on one PostgreSQL database. */
export class ServerFleet {
  readonly #url: string;
  readonly #env: Record<string, string>;
  readonly #program: string | undefined;
  readonly #members = new Map<string, Member>();
  readonly #folders = new Map<string, string>();
  /** Servers that were killed, for what they printed. */
  readonly ended: Member[] = [];
  #starts = 0;

  /** @param program another one than the server's own, as seen from `server` */
  constructor(url: string, env: Record<string, string> = {}, program?: string) {
    this.#url = url;
    this.#env = env;
    this.#program = program;
  }

  get living(): Member[] {
    return [...this.#members.values()];
  }

  /** The one of that `application_name`, while it lives. */
  named(name: string): Member | undefined {
    return this.living.find((member) => member.name === name);
  }

  async start(slot: string): Promise<Member> {
    this.#starts += 1;
    const name = `${slot}-${this.#starts}`;
    const url = new URL(this.#url);
    url.searchParams.set('application_name', name);
    const dataDir = this.#folders.get(slot) ?? temporaryFolder();
    this.#folders.set(slot, dataDir);
    const env = { DATABASE_URL: url.href, DEMO: '0', LOG_LEVEL: 'warn', ...this.#env };
    const member = {
      name,
      slot,
      server: await startServer({ dataDir, env, ...(this.#program && { program: this.#program }) }),
    };
    this.#members.set(slot, member);
    return member;
  }

  /** At once and without a word. */
  async kill({ slot, server }: Member): Promise<void> {
    const member = this.#members.get(slot);
    this.#members.delete(slot);
    if (member) this.ended.push(member);
    await server.kill('SIGKILL');
  }

  /** Ends what lives in good order. */
  async stop(): Promise<void> {
    const members = this.living;
    this.#members.clear();
    this.ended.push(...members);
    await Promise.all(members.map(({ server }) => server.kill()));
  }
}
