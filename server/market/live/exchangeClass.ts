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
  return new Exchange(options) as Client<E>;
}
