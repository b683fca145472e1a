import Big from 'big.js';
import { URI } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { hasPassphrase } from '#contract/apiKey';
import { LIVE_EXCHANGES, liveSource, ORDER_EXCHANGES, sourceName } from '#contract/candle';
import { secondFactor } from '#contract/secondFactor';
import { strategies } from '#contract/strategies';
import { settle } from '../support/audit';
import { badLineTo, onlyAt } from '../support/badLine';
import { productOfTests } from '../support/browser';
import { fundedCustomer } from '../support/fundedCustomer';
import { CARRY, PERPETUAL, SPOT } from '../support/realCarry';
import { runToEnd, startProgram } from '../support/serverProcess';

/** Where it is walked: WALKED_EXCHANGE names another one, for each takes a minute. */
const EXCHANGE = ORDER_EXCHANGES.find((name) => name === process.env.WALKED_EXCHANGE) ?? 'gate';
const SOURCE = liveSource(EXCHANGE);
const OTHER = 'ETHUSDT';
const [NAME, PASSWORD] = ['owner-1', 'a long enough secret'];
const WORDS = { Key: 'walked-key-0001', Secret: 'walked-secret-0001', Passphrase: 'walked-words' };
/** The exchange is followed from nothing on, and an account is looked at every few seconds. */
const PATIENT = { timeout: 120_000 };

const { standIn, exchange, customer } = await fundedCustomer(Date.now, EXCHANGE);
const line = await badLineTo(standIn.url, onlyAt[EXCHANGE](SPOT, PERPETUAL, OTHER, `${OTHER}_SPOT`));
afterAll(() => line.close());
payAlways(exchange.market);
const passphrase = hasPassphrase(EXCHANGE) ? WORDS.Passphrase : '';
exchange.keys.add({ key: WORDS.Key, secret: WORDS.Secret, passphrase, account: 'owner' }).addresses = ['127.0.0.1'];

/** Has all perpetuals pay as much at each settlement, now and in the past, that a carry is worth it. */
function payAlways(market: typeof exchange.market): void {
  const [listed, funding] = [market.listed.bind(market), market.funding.bind(market)];
  const paid = { fundingRate: 0.003, settledFundingRate: 0.003 };
  market.listed = (symbol, at) => {
    const one = listed(symbol, at);
    return one && { ...one, ticker: { ...one.ticker, ...(one.ticker.fundingRate !== null && paid) } };
  };
  market.funding = async (symbol, range) => {
    const told = await funding(symbol, range);
    return told && { ...told, rate: told.rate.map(() => paid.fundingRate) };
  };
}

const product = productOfTests(
  {},
  {
    ...{ TRADING: 'live', DEMO: '0', SIMULATED: '0', EXCHANGES: EXCHANGE, LIVE_MAX_NOTIONAL: '5000' },
    [`EXCHANGE_URL_${EXCHANGE.toUpperCase()}`]: line.url,
  },
);

const press = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
const strategyRow = (page: Page, name: string) =>
  page.getByRole('region', { name: '策略' }).getByRole('row').filter({ hasText: name });
const dealRow = (page: Page, state: string) =>
  page.getByRole('region', { name: '交易单' }).getByRole('row').filter({ hasText: '实盘' }).filter({ hasText: state });

/** A master with a second factor, who has just signed in. */
async function owner(): Promise<Page> {
  const env = { DATA_DIR: product.server.dataDir };
  const made = startProgram('start/cli/user.ts', ['add', NAME, '--role', 'master'], env, true);
  expect(await runToEnd(made, `${PASSWORD}\n`)).toMatchObject({ code: 0 });
  const page = await product.open('visitor', '/login');
  await page.getByLabel('用户名').fill(NAME);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await press(page, /^登\s?录$/);
  await page.waitForURL(`${product.url}/`);
  const { uri } = await product.write(page.context(), secondFactor.begin, { password: PASSWORD });
  await product.write(page.context(), secondFactor.confirm, { code: URI.parse(uri).generate() });
  return page;
}

/** Types a key, has it tested, and saves it. */
async function bringKey(page: Page): Promise<void> {
  await page.goto(`${product.url}/user/apiKey`);
  await press(page, '添加密钥');
  const drawer = dialogOf(page, '添加密钥');
  await drawer.getByRole('combobox', { name: '交易所' }).click();
  await page.getByTitle(LIVE_EXCHANGES[EXCHANGE], { exact: true }).filter({ visible: true }).last().click();
  await drawer.getByLabel('名称').fill('主账户');
  for (const [label, word] of Object.entries(WORDS)) {
    if (label === 'Passphrase' && passphrase === '') continue;
    await drawer.getByLabel(label, { exact: true }).fill(word);
  }
  await press(drawer, '测试连接');
  await drawer.getByText(/^交易所接受了该密钥/).waitFor(PATIENT);
  await press(drawer, '测试并保存');
  await page.getByText('密钥已加密保存').waitFor(PATIENT);
}

/** Looks at the account as one of the user's own. */
async function lookAtAccounts(page: Page): Promise<void> {
  await page.goto(product.url);
  await page.getByText('我的账户', { exact: true }).click();
}

/** Starts a strategy, or closes a deal: the button of the dialog is held until it is gone. */
async function hold(page: Page, act: string, typed?: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: `${act}：` });
  if (typed) await dialog.getByLabel(/^输入 .* 确认实盘/).fill(typed);
  await dialog.getByRole('button', { name: /按住 1 秒/ }).focus();
  await page.keyboard.down(' ');
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.up(' ');
}

async function begin(page: Page, name: string, typed?: string): Promise<void> {
  await press(strategyRow(page, name), /^启\s?动$/);
  await hold(page, '启动', typed);
  await page.getByText(name, { exact: true }).first().click();
}

/** Makes a real strategy of one on paper, at three quarters of its size. */
async function promote(page: Page, paper: string, name: string): Promise<void> {
  await press(page, `${paper} 的更多操作`);
  await page.getByRole('menuitem', { name: '实盘准备' }).click();
  const readiness = dialogOf(page, `实盘准备：${paper}`);
  await readiness.getByLabel('比例').last().fill('75');
  await press(readiness, '转实盘');
  const drawer = dialogOf(page, `转实盘：${paper}`);
  await drawer.getByLabel('名称').fill(name);
  await drawer.getByLabel('确认实盘').fill(SPOT);
  await press(drawer, /^试\s?算$/);
  await drawer.getByText('会开仓').first().waitFor(PATIENT);
  await press(drawer, /^保\s?存$/);
  await drawer.waitFor({ state: 'hidden' });
}

test('from a key to a real pair that is opened beside a trade by hand, closed, and held against the exchange', async () => {
  const page = await owner();
  await bringKey(page);
  await lookAtAccounts(page);
  await press(page, '开实盘账户');
  const opening = dialogOf(page, '开立实盘账户');
  await opening.getByText('主账户').first().waitFor();
  await press(opening, '开立实盘账户');
  await page.getByText(/已在 .* 开立实盘账户/).waitFor(PATIENT);

  // On paper first, at the prices of the exchange.
  const params = { ...CARRY, source: SOURCE };
  await product.write(page.context(), strategies.create, { kind: 'fundingRate', name: '套利', mode: 'paper', params });
  await page.goto(`${product.url}/strategy/fundingRate?tab=mine`);
  await begin(page, '套利');
  await page.getByRole('region', { name: '交易单' }).getByText('持有', { exact: true }).first().waitFor(PATIENT);
  expect(customer.orders.size).toBe(0);

  await promote(page, '套利', '真的');
  await begin(page, '真的', SPOT);
  await dealRow(page, '持有').waitFor(PATIENT);
  expect(customer.positionOf(PERPETUAL).lt(0)).toBe(true);

  exchange.trading.place(customer, {
    ...{ symbol: OTHER, wallet: 'derivatives', clientId: 'web_1', side: 'buy', type: 'market', timeInForce: 'IOC' },
    ...{ price: null, quantity: new Big('0.5'), reduceOnly: false },
  });
  await lookAtAccounts(page);
  await page
    .getByText(/（实盘）/)
    .first()
    .click();
  await page.getByText('更多：盈亏、风险').waitFor();
  await settle(page);
  await page
    .getByRole('row')
    .filter({ hasText: OTHER })
    .getByText(/外部持仓/)
    .first()
    .waitFor(PATIENT);

  await page.goto(`${product.url}/strategy/fundingRate?tab=mine`);
  await page.getByText('真的', { exact: true }).first().click();
  await press(dealRow(page, '持有'), /^平\s?仓$/);
  await hold(page, '平仓');
  await dealRow(page, '已平仓').waitFor(PATIENT);
  expect(customer.positionOf(PERPETUAL).toFixed()).toBe('0');
  expect(customer.positionOf(OTHER).toFixed()).toBe('0.5');

  await page.goto(`${product.url}/strategy/order`);
  await press(page, '与交易所核对');
  const drawer = dialogOf(page, '与交易所核对');
  await press(drawer, '开始核对');
  await drawer.getByText('核对了 1 个用户的全部账户，一致 1 个').waitFor(PATIENT);

  // Nothing is simulated: screens that show a market open on the exchange.
  for (const path of ['/indicator/hedge', '/test/hedge', `/indicator/symbol/detail/${OTHER}`]) {
    await page.goto(product.url + path);
    await page.getByText(sourceName(SOURCE)).first().waitFor(PATIENT);
  }
});
