import type { FastifyInstance, FastifyReply } from 'fastify';
import { accessOf } from '#contract/access';
import { STREAMS_PER_USER, stream, TOPICS_OF_ALL, type Topic } from '#contract/stream';
import type { Database } from '../../base/db/client';
import { findSessions, type SessionHorizon } from '../../base/db/users/session';
import { forbidden, Refusal, tooMany } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { horizonOf } from '../../people/auth/session';
import type { Deps } from '../deps';
import { PricePump } from '../stream/pricePump';
import { eventFrame, type StreamHub } from '../stream/streamHub';

/** How old the answer may be by which an event goes out. */
const LIFE_MS = 2_000;

/** The session of one stream, and what to do when it may not go on. */
interface Watched {
  tokenHash: string;
  /** Whose events it brings, and in which role. */
  userId: string;
  role: string;
  end: (reason: 'session' | 'role') => void;
  /** Whether it is over for other reasons: it is forgotten then. */
  isOver: () => boolean;
}

interface WatchOptions {
  db: Database;
  /** Sessions opened or seen by these instants are over. */
  horizon: () => SessionHorizon;
  onFailure: (error: unknown) => void;
}

/** Ends the streams whose session is over, whose user is blocked or has another role now, and those of a master who has come to look on as another; asks for all of them at once. */
class SessionWatch {
  readonly #options: WatchOptions;
  readonly #watched = new Set<Watched>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<boolean> | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
  }

  /** Whether the streams that are left may go on; false when that could not be found out. */
  readonly check = async (): Promise<boolean> => {
    if (this.#watched.size === 0 || performance.now() - this.#askedAt < LIFE_MS) return true;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  };

  async #ask(): Promise<boolean> {
    const { db, horizon, onFailure } = this.#options;
    const askedAt = performance.now();
    for (const watched of this.#watched) if (watched.isOver()) this.#watched.delete(watched);
    const asked = [...this.#watched];
    try {
      const hashes = [...new Set(asked.map(({ tokenHash }) => tokenHash))];
      const found = new Map((await findSessions(db, hashes, horizon())).map((row) => [row.tokenHash, row]));
      for (const { tokenHash, userId, role, end } of asked) {
        const now = found.get(tokenHash);
        if (now === undefined || now.blocked) end('session');
        else if (now.role !== role || now.userId !== userId) end('role');
      }
    } catch (error) {
      onFailure(error);
      return false;
    }
    this.#askedAt = askedAt;
    return true;
  }
}

/** When a browser that has no stream left may ask again, s. */
const PATIENCE_S = 30;

const closing = () => new Refusal(503, 503, '服务正在停止，请稍后再试');

/** Live events to signed-in users. */
export function streamRoutes(app: FastifyInstance, { db, clock, markets }: Deps, hub: StreamHub): void {
  const onFailure = (error: unknown) => app.log.error({ err: error }, 'stream failed');
  const watch = new SessionWatch({ db, horizon: () => horizonOf(clock()), onFailure });
  const pump = new PricePump({ hub, markets, clock, onFailure });
  hub.checkWith(watch.check);
  app.addHook('preClose', async () => {
    pump.stop();
    hub.close();
  });

  route(app, stream.events, async ({ query, user, request, reply }) => {
    const { session, viewer, raw } = request;
    const topics = new Set(query.topics.split(',') as Topic[]);
    const isOfAll = Object.values(TOPICS_OF_ALL).some((topic) => topics.has(topic));
    if (isOfAll && !accessOf(user.role).isMaster) throw forbidden();
    if (hub.isClosed) throw closing();
    // Who looks on as somebody else takes none of that user's places.
    const holderId = (viewer ?? user).id;
    if (hub.countOf(holderId) >= STREAMS_PER_USER) throw tooMany(PATIENCE_S, '打开的实时连接过多');
    const header = request.headers['last-event-id'];
    const out = takeOver(reply);
    // It went while its session was read: no event would tell of it any more.
    if (raw.socket.destroyed) return void out.destroy();
    // An answer that waits for others of its connection does not hear of its end by itself.
    raw.socket.once('close', () => out.destroy());
    const reader = hub.attach(
      { userId: user.id, holderId, topics },
      out,
      typeof header === 'string' ? header : query.lastEventId,
    );
    const tokenHash = session?.tokenHash ?? '';
    const end = (reason: 'session' | 'role') => reader.end(eventFrame('end', { reason }));
    watch.add({ tokenHash, userId: user.id, role: user.role, end, isOver: () => reader.isOver });
  });
}

/** From here on the reply is a stream, which no error handler answers for. */
function takeOver(reply: FastifyReply) {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    // A proxy that collects answers would hold events back.
    'X-Accel-Buffering': 'no',
    // When the stream is over nothing else comes over its connection, so that a closing server need not wait for it.
    Connection: 'close',
  });
  return reply.raw;
}
