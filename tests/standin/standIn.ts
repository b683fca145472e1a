import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '#server/market/exchange';
import { createSimulatedVenues, type SimulatedMarket } from '#server/market/simulated';
import { BinanceDialect } from './binance/binanceDialect';
import { BybitDialect } from './bybit/bybitDialect';
import { Exchange } from './core/exchange';
import type { Faults } from './core/faults';
import type { TradingRules } from './core/trading';
import type { Answer, Call, Connection, Dialect } from './dialect';
import { GateDialect } from './gate/gateDialect';
import { OkxDialect } from './okx/okxDialect';

interface Spoke {
  /** Of the simulated market, which it quotes. */
  source: string;
  create(exchange: Exchange): Dialect;
  rules?: TradingRules;
}

const UNIFIED: TradingRules = { hasOneWallet: true, endsUnmet: true };

/** How each dialect is made. */
const DIALECTS = {
  binance: { source: 'simulated', create: (exchange: Exchange): Dialect => new BinanceDialect(exchange) },
  okx: {
    source: 'simulated-okx',
    create: (exchange: Exchange): Dialect => new OkxDialect(exchange),
    rules: UNIFIED,
  },
  bybit: {
    source: 'simulated-bybit',
    create: (exchange: Exchange): Dialect => new BybitDialect(exchange),
    rules: UNIFIED,
  },
  gate: {
    source: 'simulated',
    create: (exchange: Exchange): Dialect => new GateDialect(exchange),
    rules: { hasOneWallet: false, endsUnmet: false, takesNamesTwice: true },
  },
} as const satisfies Record<string, Spoke>;

export type DialectName = keyof typeof DIALECTS;
export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];

interface StandInOptions {
  dialects?: readonly DialectName[];
  /** The present of exchanges and market, UTC ms. */
  clock?: Clock;
  /** What is listed of the market's coins: all of them, or a few by default, so that what asks for everything is soon told. */
  coins?: readonly string[] | 'all';
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

interface Spoken {
  name: DialectName;
  exchange: Exchange;
  dialect: Dialect;
  sockets: WebSocketServer;
}

const TICK_MS = 50;
const FEW_COINS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'DOGE', 'ADA', 'LINK', 'AVAX', 'LTC', 'XLM', 'DOT'];

/** Exchanges on loopback, for clients that are pointed at them. */
export async function startStandIn({
  dialects = DIALECT_NAMES,
  clock = Date.now,
  coins = FEW_COINS,
  venues = createSimulatedVenues({ clock }),
  port = 0,
}: StandInOptions = {}): Promise<StandIn> {
  const spoken = dialects.map((name): Spoken => {
    const { source, create, rules }: Spoke = DIALECTS[name];
    const market = venues.find((venue) => venue.source === source)!;
    const exchange = new Exchange(market, clock, rules, (base) => coins === 'all' || coins.includes(base));
    return { name, exchange, dialect: create(exchange), sockets: new WebSocketServer({ noServer: true }) };
  });
  const spokenAt = (path: string) => spoken.find(({ dialect }) => dialect.serves(path));

  const server = createServer((request, response) => {
    respond(request, response, spokenAt).catch((error: Error) => {
      response.writeHead(500).end(JSON.stringify({ msg: error.message }));
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const to = spokenAt(pathname);
    if (!to || isSilent(to)) {
      socket.destroy();
      return;
    }
    to.sockets.handleUpgrade(request, socket, head, (client) =>
      to.dialect.connect(connectionOf(client, to.exchange.faults, pathname, searchParams)),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const hangUp = ({ sockets }: Spoken) => sockets.clients.forEach((client) => void client.terminate());
  // Each exchange by itself: what one says does not wait for what the others say.
  const ticking = spoken.map((one) =>
    setInterval(() => {
      if (isSilent(one)) hangUp(one);
      one.dialect.tick();
    }, TICK_MS),
  );

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchange: (name) => spoken.find((one) => one.name === name)!.exchange,
    async close() {
      ticking.forEach(clearInterval);
      spoken.forEach(hangUp);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isClosed = ({ faults, market }: Exchange): boolean => faults.isInMaintenance || market.isOut();
const isSilent = ({ exchange }: Spoken): boolean => exchange.faults.areStreamsDown || isClosed(exchange);

async function callOf(request: IncomingMessage, path: string, query: string): Promise<Call> {
  const body = await text(request);
  return {
    method: request.method ?? 'GET',
    path,
    params: new URLSearchParams([query, body].filter(Boolean).join('&')),
    query,
    body,
    headers: request.headers,
    from: request.socket.remoteAddress ?? '',
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  spokenAt: (path: string) => Spoken | undefined,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const to = spokenAt(pathname);
  if (to?.exchange.faults.isRestDown) {
    request.socket.destroy();
    return;
  }
  const call = await callOf(request, pathname, search.slice(1));
  const fault = to?.exchange.faults.take(`${call.method} ${call.path}`);
  if (fault?.kind === 'late') await fault.isLetGo;
  const answer = to && (fault?.kind === 'answer' ? fault.answer : await answerOf(to, call));
  if (fault?.kind === 'late') fault.onDone();
  if (fault?.kind === 'noAnswer') return;
  if (fault?.kind === 'cut') {
    request.socket.destroy();
    return;
  }
  const { status, body, headers } = answer ?? { status: 404, body: { msg: 'Not Found' } };
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers });
  response.end(fault?.kind === 'garbled' ? '<html>' : JSON.stringify(body));
}

async function answerOf({ dialect, exchange }: Spoken, call: Call): Promise<Answer> {
  return (isClosed(exchange) && dialect.closed(call)) || (await dialect.answer(call));
}

/** A word of its own, which an answer to a sign of life may be, goes as it is. */
const textOf = (message: unknown): string => (typeof message === 'string' ? message : JSON.stringify(message));

function connectionOf(client: WebSocket, faults: Faults, path: string, params: URLSearchParams): Connection {
  return {
    path,
    params,
    send: (message) => faults.onStream([message]).forEach((one) => void client.send(textOf(one))),
    close: () => client.close(),
    onMessage: (listener) => void client.on('message', (data) => listener(String(data))),
    onClose: (listener) => void client.on('close', listener),
  };
}
