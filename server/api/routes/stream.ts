import type { FastifyInstance, FastifyReply } from 'fastify';
import { accessOf } from '#contract/access';
import { STREAMS_PER_USER, stream, TOPICS_OF_ALL, type Topic } from '#contract/stream';
import { forbidden, Refusal, tooMany } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { horizonOf } from '../../people/auth/session';
import type { Deps } from '../deps';
import { eventFrame } from '../stream/eventFrame';
import { PricePump } from '../stream/pricePump';
import { SessionWatch } from '../stream/sessionWatch';
import type { StreamHub } from '../stream/streamHub';

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
