import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '#server/market/exchange';
import { createSimulatedVenues, type SimulatedMarket } from '#server/market/simulated';
import { BinanceDialect } from './binance/binanceDialect';
import { Exchange } from './core/exchange';
import type { Answer, Call, Connection, Dialect } from './dialect';

/** How each dialect is made, and which venue of the simulated market it quotes. */
const DIALECTS = {
  binance: { source: 'simulated', create: (exchange: Exchange): Dialect => new BinanceDialect(exchange) },
} as const;

export type DialectName = keyof typeof DIALECTS;
export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];

interface StandInOptions {
  dialects?: readonly DialectName[];
  /** The present of exchanges and market, UTC ms. */
  clock?: Clock;
  /** The venues of the simulated market, where a test has its own. */
  venues?: readonly SimulatedMarket[];
  /** By default any that is free. */
  port?: number;
}

export interface StandIn {
  /** What `EXCHANGE_URL_<NAME>` is to say, the same for all dialects. */
  url: string;
  /** What is behind a dialect. */
  exchange(name: DialectName): Exchange;
  close(): Promise<void>;
}

const TICK_MS = 50;

/** Exchanges on loopback, for clients that are pointed at them. */
export async function startStandIn({
  dialects = DIALECT_NAMES,
  clock = Date.now,
  venues = createSimulatedVenues({ clock }),
  port = 0,
}: StandInOptions = {}): Promise<StandIn> {
  const exchanges = new Map<DialectName, Exchange>();
  const spoken: Dialect[] = [];
  for (const name of dialects) {
    const { source, create } = DIALECTS[name];
    const exchange = new Exchange(venues.find((venue) => venue.source === source)!, clock);
    exchanges.set(name, exchange);
    spoken.push(create(exchange));
  }
  const dialectOf = (path: string) => spoken.find((dialect) => dialect.serves(path));

  const server = createServer((request, response) => void respond(request, response, dialectOf));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const dialect = dialectOf(pathname);
    if (!dialect) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) =>
      dialect.connect(connectionOf(client, pathname, searchParams)),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const ticking = setInterval(() => spoken.forEach((dialect) => void dialect.tick()), TICK_MS);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchange: (name) => exchanges.get(name)!,
    async close() {
      clearInterval(ticking);
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  dialectOf: (path: string) => Dialect | undefined,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const body = await text(request);
  const query = search.slice(1);
  const call: Call = {
    method: request.method ?? 'GET',
    path: pathname,
    params: new URLSearchParams([query, body].filter(Boolean).join('&')),
    query,
    body,
    headers: request.headers,
    from: request.socket.remoteAddress ?? '',
  };
  const answer: Answer = (await dialectOf(pathname)?.answer(call)) ?? { status: 404, body: { msg: 'Not Found' } };
  response.writeHead(answer.status, { 'content-type': 'application/json;charset=UTF-8', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}

function connectionOf(client: WebSocket, path: string, params: URLSearchParams): Connection {
  return {
    path,
    params,
    send: (message) => client.send(JSON.stringify(message)),
    close: () => client.close(),
    onMessage: (listener) => void client.on('message', (data) => listener(String(data))),
    onClose: (listener) => void client.on('close', listener),
  };
}
