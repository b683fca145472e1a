import { dealName } from '#server/desk/strategy/dealWords';

const at = (source: string, symbol: string) => ({ source, symbol });

test.each([
  ['a pair', [at('simulated', 'BTCUSDT'), at('simulated', 'ETHUSDT')], 'BTCUSDT / ETHUSDT'],
  ['two venues', [at('simulated', 'PLUMEUSDT'), at('simulated-okx', 'PLUMEUSDT')], 'PLUMEUSDT 币安 / OKX'],
  ['both sides of one symbol', [at('simulated', 'SOLUSDT'), at('simulated', 'SOLUSDT')], 'SOLUSDT'],
  ['one leg', [at('simulated-okx', 'SOLUSDT_SPOT')], 'SOLUSDT_SPOT'],
  ['none', [], ''],
])('a deal in %s has a name that tells it from others', (_what, places, name) => {
  expect(dealName(places)).toBe(name);
});
