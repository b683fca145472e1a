/**
 * One class of ccxt an exchange, its streams included. They are loaded when such an exchange is on: a server without one
 * is not to pay for them. The package's own entrance, which loads a hundred exchanges, hides them.
 */
const CLASSES = {
  binance: () => import('../../../node_modules/ccxt/js/src/pro/binance.js'),
  okx: () => import('../../../node_modules/ccxt/js/src/pro/okx.js'),
  bybit: () => import('../../../node_modules/ccxt/js/src/pro/bybit.js'),
  gate: () => import('../../../node_modules/ccxt/js/src/pro/gate.js'),
};

export type LiveExchange = keyof typeof CLASSES;

/** What an exchange's class makes. */
export type Client<E extends LiveExchange> = InstanceType<Awaited<ReturnType<(typeof CLASSES)[E]>>['default']>;

/** @param options as ccxt takes them */
export async function createClient<E extends LiveExchange>(
  exchange: E,
  options: Record<string, unknown> = {},
): Promise<Client<E>> {
  const { default: Exchange } = await CLASSES[exchange]();
  const client = new Exchange(options) as Client<E>;
  hearFailures(client);
  return client;
}

interface Connection {
  send(message: unknown): Promise<unknown>;
  future(hash: string): Promise<unknown>;
}

/**
 * What is sent to a connection that is closing, and some of what is waited for there, fails in a promise that the library
 * drops, which would end the process. Whoever waits for a message is told of the end of the connection itself.
 */
function hearFailures(client: { client(url: string): Connection }): void {
  const connectionTo = client.client.bind(client);
  client.client = (url) => {
    const connection = connectionTo(url);
    if (Object.hasOwn(connection, 'send')) return connection;
    const send = connection.send.bind(connection);
    connection.send = (message) => {
      const sent = send(message);
      sent.catch(() => undefined);
      return sent;
    };
    const future = connection.future.bind(connection);
    connection.future = (hash) => {
      const made = future(hash);
      made.catch(() => undefined);
      return made;
    };
    return connection;
  };
}
