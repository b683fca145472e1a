import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { type AccountBalance, account } from '#contract/account';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import type { DealRow } from '#contract/strategyRow';
import { venueAccount } from '#contract/venueAccount';
import { productOfTests } from '../support/browser';
import { runToEnd, startProgram } from '../support/serverProcess';
import { waitFor } from '../support/waitFor';

const product = productOfTests();
/** What a price moves by at most between a close and the last look, as a part of it. */
const PRICE_DRIFT = 0.02;
/** Orders, fills and a read of the list lie between. */
const LONG = { timeout: 60_000 };

/** A thin book takes a stock in parts, and each sale waits a quarter of a minute for what it still lacks. */
const SALE_MS = 3 * LONG.timeout;

/** Long enough for some looks of the engine: what is opened again comes within two seconds. */
const LOOKS_MS = 5_000;

const own = (page: Page) => page.getByRole('region', { name: '策略' });

interface Flow {
  kind: StrategyKind;
  /**
   * The scanner, narrowed down to what can be done now: rates as real pay the way in and out in two months, not in a week, and what lost
   * lately is not opened.
   */
  path: string;
  /** Which row is taken; absent: the first. */
  row?: number;
  /** What is changed in the drawer: number by field. */
  fields: Record<string, string>;
  /** What is chosen in the drawer: option by field. */
  choices?: Record<string, string>;
}

const FLOWS: Flow[] = [
  {
    kind: 'fundingRate',
    path: '/strategy/fundingRate?size=1000&hours=1440&source=simulated&direction=carry&actionable=1&minApr=none&maxBreakEvenHours=none&sort=-replay30',
    fields: { 开仓名义净年化: '0', 逐轮提高门槛: '100', 'TWAP 份数': '1', 滑点上限: '100' },
  },
  {
    kind: 'spread',
    path: '/strategy/spread?size=1000&source=simulated&type=spotFuture&actionable=1&sort=-replay30',
    fields: { 开仓名义净年化: '0', 逐轮提高门槛: '100', 滑点上限: '100' },
  },
  {
    kind: 'cexRate',
    path: '/strategy/cexRate?size=1000&hours=1440&actionable=1&sources=simulated,simulated-okx&sort=-replay30',
    // What paid best lately may by now be below the rate at which it is left.
    fields: { 开仓名义净年化: '0', 平仓费率差: '', 滑点上限: '100' },
  },
  {
    kind: 'grid',
    // Low in its range, where a long grid buys as it begins, and not so low that the price may leave it meanwhile.
    row: 10,
    path: '/strategy/grid?size=2000&cells=10&source=simulated&market=perpetual&actionable=1&sort=position',
    fields: { 滑点上限: '100' },
    choices: { 方向: '做多' },
  },
];

/**
 * Holds the button of the dialog of an act until the dialog is gone. What would be opened is shown anew, and has to be held
 * anew, where the other tab has changed the book meanwhile.
 */
async function hold(page: Page, act: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: `${act}：` });
  const button = dialog.getByRole('button', { name: /按住 1 秒/ });
  for (let tries = 0; tries < 5; tries += 1) {
    const isThere = await button.focus({ timeout: 20_000 }).then(
      () => true,
      () => false,
    );
    // The answer may have come after the wait for it was given up.
    if (tries > 0 && (await dialog.count()) === 0) return;
    if (!isThere) break;
    await page.keyboard.down(' ');
    const isGone = await dialog.waitFor({ state: 'hidden', timeout: 12_000 }).then(
      () => true,
      () => false,
    );
    await page.keyboard.up(' ');
    if (isGone) return;
  }
  expect(await dialog.textContent({ timeout: 1_000 })).toBe('');
}

/** Calls the API as the person whose page it is; not through the page, where it would wait for what that draws. */
async function call(page: Page, method: string, path: string, body?: object) {
  const headers = { origin: product.url, 'idempotency-key': randomUUID() };
  const answer = await page
    .context()
    .request.fetch(product.url + path, { method, headers, ...(body && { data: body }) });
  return (await answer.json()).data;
}

/** The deals of a strategy, the newest first. */
const dealsOf = async (page: Page, id: string): Promise<DealRow[]> =>
  (await call(page, 'GET', `${strategies.deals.path}?id=${id}`)).list;

/** Runs in the page: whether the first row has a figure under this head. */
function isReplayed(head: string): boolean {
  const at = [...document.querySelectorAll('thead th')].findIndex(({ textContent }) => textContent === head);
  const cell = document.querySelectorAll('tr[data-row-key] td')[at];
  return /\d/.test(cell?.textContent ?? '');
}

/** Sets up what a row of a scanner offers, and starts it. */
async function begin(page: Page, { kind, path, row = 0, fields, choices = {} }: Flow): Promise<void> {
  await page.goto(product.url + path);
  const plan = page.getByRole('button', { name: /^用 .* 新建策略$/ }).nth(row);
  await plan.waitFor();
  // What is still being worked out has nothing to set up yet, and no rank.
  await page.getByText('计算中').first().waitFor({ state: 'hidden' });
  if (path.includes('sort=-replay30')) await page.waitForFunction(isReplayed, '30 日重放');
  await plan.click();
  const drawer = page.getByRole('dialog', { name: '新建策略' });
  await drawer.getByText(/^高级（\d+ 项）$/).click();
  for (const [name, value] of Object.entries(fields)) await drawer.getByRole('spinbutton', { name }).fill(value);
  for (const [name, value] of Object.entries(choices)) {
    await drawer.getByRole('combobox', { name }).click();
    await page.getByTitle(value, { exact: true }).last().click();
  }
  await drawer.getByRole('button', { name: /^试\s?算$/ }).click();
  await drawer
    .getByText(/^会(开仓|补库存)$/)
    .first()
    .waitFor()
    .catch(async () => expect(`${kind}: ${await drawer.textContent()}`).toBe('会开仓'));
  await drawer.getByRole('button', { name: /^保\s?存$/ }).click();
  await own(page)
    .getByRole('button', { name: /^启\s?动$/ })
    .click();
  await hold(page, '启动');
}

/** Closes what is held while the strategy runs on: it finds as much to open as before, and opens nothing. */
async function end(page: Page, kind: StrategyKind): Promise<void> {
  const deals = page.getByRole('region', { name: '交易单' });
  await deals
    .getByRole('button', { name: /^平\s?仓$/ })
    .first()
    .click();
  await hold(page, '平仓');
  await deals
    .getByText(/^已平仓/)
    .first()
    .waitFor(LONG);
  await own(page).getByText('已手动平仓').waitFor();
  await page.waitForTimeout(LOOKS_MS);
  const [{ id, state, running, ended }] = (await call(page, 'GET', `${strategies.list.path}?kind=${kind}`)).list;
  expect({ kind, state, running, ended }).toEqual({ kind, state: 'running', running: 0, ended: 1 });
  const { list } = await call(page, 'GET', `${strategies.deals.path}?id=${id}`);
  expect(list).toMatchObject([{ state: 'closed', closeReason: 'manual' }]);
}

/** What a strategy of a kind made, by what it is made of. */
async function resultOf(page: Page, kind: StrategyKind): Promise<number> {
  const { list } = await call(page, 'GET', `${strategies.list.path}?kind=${kind}`);
  const [{ pricePnl, funding, fees, net, running }] = list;
  expect(running).toBe(0);
  expect(fees).toBeGreaterThan(0);
  // Each of the four is rounded to a hundred-millionth.
  expect(net).toBeCloseTo(pricePnl + funding - fees, 7);
  return net;
}

/** Opens and closes one deal of a kind, in a tab of its own. */
async function wholeWay(context: BrowserContext, flow: Flow): Promise<number> {
  const page = await context.newPage();
  await begin(page, flow);
  const deals = page.getByRole('region', { name: '交易单' });
  await deals
    .getByText('持有', { exact: true })
    .first()
    .waitFor(LONG)
    .catch(async () => expect(`${flow.kind}: ${await page.locator('main').textContent()}`).toBe('持有'));
  // It goes on when nobody looks, and is there after a reload.
  await page.reload();
  await end(page, flow.kind);
  const net = await resultOf(page, flow.kind);
  await page.close();
  return net;
}

const opened = { venue: 'simulated-okx', name: 'OKX', amount: 100_000 };

test('every kind goes from a row of its scanner to a deal that is open, closed by hand, stays closed, and adds up', async () => {
  const context = await product.contextOf('master');
  const page = await context.newPage();
  await page.goto(`${product.url}/strategy/order`);
  expect(await call(page, 'POST', venueAccount.open.path, opened)).toMatchObject({ id: expect.any(String) });
  // Two at a time: a tab draws what moves, seen or not.
  const made = await Promise.all(
    [FLOWS.slice(0, 2), FLOWS.slice(2)].map(async (flows) => {
      let net = 0;
      for (const flow of flows) net += await wholeWay(context, flow);
      return net;
    }),
  );
  // What the strategies made together is what the accounts gained, to the cent, but for what they left behind because
  // it was less than a lot: its price went on.
  const { account: state } = await call(page, 'GET', account.state.path);
  const left = state.balances.filter(({ asset }: AccountBalance) => asset !== 'USDT');
  const leftValue = left.reduce((sum: number, { value }: AccountBalance) => sum + Math.abs(Number(value)), 0);
  const difference = Math.abs(Number(state.equity) - (200_000 + made[0]! + made[1]!));
  expect(difference).toBeLessThanOrEqual(0.01 + PRICE_DRIFT * leftValue);
  const audit = await runToEnd(startProgram('start/cli/audit.ts', [], { DATA_DIR: product.server.dataDir }, true));
  expect(audit).toMatchObject({ code: 0 });
});

test('an arbitrage stocks up at both venues, and sells what it holds when it is told to hold none', async () => {
  const page = await product.open('master', '/');
  const path = '/strategy/okx?size=1000&actionable=none&buy=simulated&sell=simulated-okx';
  await begin(page, { kind: 'okx', path, fields: { 滑点上限: '100' } });
  const stock = page.getByRole('region', { name: '库存' }).getByRole('row').filter({ hasText: '5,000.00' });
  // What it stands apart by is less than a lot, of whichever coin comes first; -100.0% is all of it.
  await stock
    .filter({ hasText: /(5,000\.00|\D)[0-4]\.\d%/ })
    .nth(1)
    .waitFor(LONG);
  await own(page)
    .getByRole('button', { name: /的更多操作$/ })
    .click();
  await page.getByRole('menuitem', { name: '修改' }).click();
  const drawer = page.getByRole('dialog', { name: /^修改/ });
  await drawer.getByText(/^高级（\d+ 项）$/).click();
  await drawer.getByRole('spinbutton', { name: '每所库存' }).fill('0');
  await drawer.getByRole('button', { name: /^试\s?算$/ }).click();
  await drawer.getByRole('button', { name: /^保\s?存$/ }).click();
  // It runs: what it opens by what is saved is shown, and held.
  await hold(page, '保存');
  // Until nothing is held but what is less than a lot.
  const read = async () => (await call(page, 'GET', `${strategies.list.path}?kind=okx`)).list[0];
  await waitFor('all is sold, and what hedged it closed', SALE_MS, async () => {
    await page.waitForTimeout(500);
    const { running, ended } = await read();
    return running === 0 && ended >= 5;
  }).catch(async ({ message }) => {
    const { id, state, targets } = await read();
    throw new Error(`${message}: ${state} ${JSON.stringify(targets)} ${JSON.stringify(await dealsOf(page, id))}`);
  });
  const { id, ended } = await read();
  const deals = await dealsOf(page, id);
  expect(deals).toHaveLength(ended);
  // Bought at both and sold at both, the second time what an order left; and one short that hedged it as long as it was there.
  const [hedges, trades] = [true, false].map((is) =>
    deals.filter(({ closeReason }) => (closeReason === 'stockGone') === is),
  );
  expect(hedges).toHaveLength(1);
  const sides = trades!.flatMap(({ legs }) =>
    legs.flatMap(({ isUsed, leg, source }) => (isUsed ? [`${leg} ${source}`] : [])),
  );
  expect([...new Set(sides)].toSorted()).toEqual([
    'long simulated',
    'long simulated-okx',
    'short simulated',
    'short simulated-okx',
  ]);
  await own(page)
    .getByRole('cell', { name: String(ended), exact: true })
    .waitFor(LONG);
  await resultOf(page, 'okx');
});

/** What a deal trades, and where. */
const placesOf = ({ legs }: DealRow): string =>
  legs.flatMap(({ isUsed, source, symbol }) => (isUsed ? [`${source} ${symbol}`] : [])).join();

test('an arbitrage buys nothing again where a person closed what was on its way, until that is armed', async () => {
  const page = await (await product.contextOf('master')).newPage();
  await call(page, 'POST', venueAccount.open.path, opened);
  const coins = ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP', 'LTC', 'TAO', 'WLD'];
  // Many at once: the last of them is on its way for as long as they all take.
  const params = { ...DEFAULT_OKX, coins, stockNotional: 2000, maxDeals: 20, dailyLossLimit: null, auto: false };
  await page.goto(`${product.url}/strategy/okx?tab=mine`);
  const rowOf = (name: string) => own(page).getByRole('row').filter({ hasText: name });

  /** Starts a strategy and closes whichever deal is seen. @returns one that was not done yet; undefined: each was. */
  async function startAndClose(name: string): Promise<{ id: string; closed: DealRow | undefined }> {
    const { id } = await call(page, 'POST', strategies.create.path, { kind: 'okx', name, mode: 'paper', params });
    await rowOf(name)
      .getByRole('button', { name: /^启\s?动$/ })
      .click();
    let closed: DealRow | undefined;
    const closeWhatGoes = () =>
      waitFor('one is closed on its way, or all are done', LONG.timeout, async () => {
        const rows = await dealsOf(page, id);
        const going = rows.filter(({ closedAt }) => closedAt === null);
        await Promise.all(going.map((deal) => call(page, 'POST', strategies.closeDeal.path, { id: deal.id })));
        closed = rows.find(({ closeReason }) => closeReason === 'manual');
        return closed !== undefined || (going.length === 0 && rows.length >= 2 * coins.length);
      });
    const started = page.waitForResponse((answer) => answer.url().endsWith(strategies.start.path));
    await Promise.all([hold(page, '启动'), started.then(closeWhatGoes)]);
    return { id, closed };
  }

  // A deal is over within a second, too soon for a dialog, and on a busy machine too soon for a call.
  let name = '';
  let made: Awaited<ReturnType<typeof startAndClose>> = { id: '', closed: undefined };
  for (let tries = 1; tries <= 5 && made.closed === undefined; tries += 1) {
    name = `手动 ${tries}`;
    made = await startAndClose(name);
  }
  const { id, closed } = made;
  await own(page)
    .getByText(/^已手动平仓/)
    .first()
    .waitFor();
  await page.waitForTimeout(LOOKS_MS);
  const ofPlace = async () => (await dealsOf(page, id)).filter((row) => placesOf(row) === placesOf(closed!));
  expect(await ofPlace()).toMatchObject([{ id: closed!.id, closeReason: 'manual' }]);
  // What is lacking there is bought once somebody arms it.
  await rowOf(name)
    .getByRole('button', { name: `${name} 重新启用` })
    .click();
  await hold(page, '重新启用');
  await waitFor('it is bought', LONG.timeout, async () => (await ofPlace()).length === 2);
});
