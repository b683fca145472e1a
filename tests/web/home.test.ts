import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';

/** What the console takes as its first venues on a page that names these. */
function homeOf(venues: string | undefined): typeof import('@/services/home') & typeof import('@/form/atHome') {
  const { dataset } = document.documentElement;
  if (venues === undefined) delete dataset.venues;
  else dataset.venues = venues;
  const home = {};
  jest.isolateModules(() => Object.assign(home, require('@/services/home'), require('@/form/atHome')));
  delete dataset.venues;
  return home as ReturnType<typeof homeOf>;
}

test.each([
  ['names none', undefined, ['simulated', 'simulated-okx']],
  ['has a simulated market', 'simulated simulated-okx simulated-bybit okx-live', ['simulated', 'simulated-okx']],
  ['follows two exchanges', 'binance-live gate-live', ['binance-live', 'gate-live']],
  ['follows one exchange', 'okx-live', ['okx-live', 'okx-live']],
])('screens and new strategies begin at the first venues of a server that %s', (_what, venues, [first, second]) => {
  const { HOME_SOURCE, SECOND_SOURCE, atHome } = homeOf(venues);
  expect([HOME_SOURCE, SECOND_SOURCE]).toEqual([first, second]);
  expect(atHome(DEFAULT_CEX_RATE)).toEqual({ ...DEFAULT_CEX_RATE, long: first, short: second });
});
