import { URI } from 'otpauth';
import type { Page } from 'playwright-core';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { PAIR_WARNINGS } from '#contract/pair';
import { session } from '#contract/session';
import { placeOf, productOfTests } from '../support/browser';

const product = productOfTests();

const PASSWORD = 'a long enough secret';

/** A new user in a browser of their own. */
async function newcomer(name: string): Promise<Page> {
  const page = await product.open('visitor', '/login');
  await product.write(page.context(), session.register, { username: name, password: PASSWORD });
  return page;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('用户名').fill(name);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await press(page, /^登\s?录$/);
}

/** What a master does with a user, by the menu of the user's row. */
async function doWith(page: Page, name: string, what: string): Promise<void> {
  await press(page, `${name} 的操作`);
  await page.getByRole('menuitem', { name: what, exact: true }).click();
}

async function confirm(page: Page, title: RegExp, verb: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: title });
  await dialog.getByRole('button', { name: verb }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a master makes a user, changes the role, blocks it and resets the password; the user feels each of them', async () => {
  const master = await product.open('master', '/user/center');
  await press(master, '创建用户');
  await dialogOf(master, '创建用户').getByLabel('用户名').fill('队友-1');
  await dialogOf(master, '创建用户')
    .getByRole('button', { name: /^创\s?建$/ })
    .click();
  const handed = dialogOf(master, '队友-1 的一次性代码');
  const code = (await handed.getByText(/^[2-9A-Z]{5}(-[2-9A-Z]{5})+$/).textContent())!.trim();
  await handed.getByRole('button', { name: '我已转交' }).click();

  const mate = await product.open('visitor', '/login');
  await press(mate, '使用一次性代码');
  const redeem = dialogOf(mate, '用一次性代码设置密码');
  await redeem.getByLabel('用户名').fill('队友-1');
  await redeem.getByLabel('一次性代码').fill(code);
  await redeem.getByLabel('新密码', { exact: true }).fill(PASSWORD);
  await redeem.getByLabel('确认新密码').fill(PASSWORD);
  await redeem.getByRole('button', { name: '设置密码并登录' }).click();
  await mate.waitForURL(`${product.url}/`);

  await doWith(master, '队友-1', '改变角色');
  const role = dialogOf(master, '改变角色：队友-1');
  await role.getByLabel('新角色').click();
  await master.getByTitle('编辑（editor）').click();
  await role.getByText(/将获得 \d+ 项/).waitFor();
  await role.getByRole('button', { name: '改变角色' }).click();
  await role.waitFor({ state: 'detached' });
  // Without signing in again.
  await mate.goto(`${product.url}/indicator/hedge?search=BTC`);
  await mate.getByRole('button', { name: '编辑 BTCUSDT 的评价' }).waitFor();

  await mate.goto(product.url);
  await mate.getByText('总权益').first().waitFor();
  await doWith(master, '队友-1', '停用');
  await confirm(master, /停用：队友-1/, /^停\s?用$/);
  // Nobody touches the page: it finds out, and says what happened.
  await mate.waitForURL(/\/login\?callback=/);
  await signIn(mate, '队友-1', PASSWORD);
  await mate.getByText(/停用/).first().waitFor();

  await doWith(master, '队友-1', '恢复');
  await confirm(master, /恢复：队友-1/, /^恢\s?复$/);
  await doWith(master, '队友-1', '重置密码');
  await dialogOf(master, '重置密码：队友-1').getByRole('button', { name: '重置密码' }).click();
  const link = handed.getByRole('button', { name: '复制链接' });
  await link.waitFor();
  await master.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await link.click();
  const address = await master.evaluate(() => navigator.clipboard.readText());
  expect(address).toContain(`${product.url}/login#user=`);

  await mate.goto(`${product.url}/register`);
  await mate.goto(address);
  await redeem.getByLabel('新密码', { exact: true }).fill(`${PASSWORD} 2`);
  await redeem.getByLabel('确认新密码').fill(`${PASSWORD} 2`);
  await redeem.getByRole('button', { name: '设置密码并登录' }).click();
  await mate.getByRole('button', { name: /队友-1 · 编辑/ }).waitFor();
});

test('a key is tested, refused when it may withdraw, stored masked, held against needs, replaced, disabled and deleted', async () => {
  const page = await product.open('trader', '/user/apiKey');
  await page.getByRole('button', { name: '添加密钥' }).first().click();
  const form = dialogOf(page, '添加密钥');
  await form.getByLabel('名称').fill('浏览器里的');
  await form.getByText(/可以试的 Key/).click();
  await form.getByRole('button', { name: 'demo-withdraw-0001' }).click();
  await form.getByRole('button', { name: '测试并保存' }).click();
  await form.getByText(/该密钥带有提现权限，拒绝保存/).waitFor();
  await form.getByRole('button', { name: 'demo-read-0001' }).click();
  await form.getByRole('button', { name: '测试连接' }).click();
  await form.getByText('交易所接受了该密钥（模拟）').waitFor();
  await form.getByRole('button', { name: '测试并保存' }).click();
  const row = page.getByRole('row', { name: /浏览器里的.*\*{4}0001/ });
  await row.waitFor();
  expect(await page.content()).not.toContain('demo-secret');
  await page.getByRole('combobox', { name: /使用的密钥/ }).click();
  await page.getByTitle('币安 · 浏览器里的').click();
  await row.getByText('缺少合约').waitFor();

  await row.getByRole('button', { name: /^更\s?换$/ }).click();
  const other = dialogOf(page, /更换密钥/);
  await other.getByText(/可以试的 Key/).click();
  await other.getByRole('button', { name: 'demo-trade-0001' }).click();
  await other.getByRole('button', { name: '测试并保存' }).click();
  await other.waitFor({ state: 'detached' });
  await row.getByText('缺少合约').waitFor({ state: 'detached' });

  await row.getByRole('button', { name: /^停\s?用$/ }).click();
  await confirm(page, /停用：币安/, /^停\s?用$/);
  await row.getByText('已停用').waitFor();
  await row.getByRole('button', { name: /^删\s?除$/ }).click();
  await confirm(page, /删除：币安/, /^删\s?除$/);
  await page.getByText('还没有交易所密钥').waitFor();
});

test('a second factor is set up, asked for, replaced by a recovery code; a session that is ended is out', async () => {
  const page = await newcomer('两步的-1');
  await page.goto(product.url);
  await press(page, /两步的-1/);
  await page.getByRole('menuitem', { name: '个人设置' }).click();
  await press(page, '开启两步验证');
  const setup = dialogOf(page, '开启两步验证');
  await setup.getByLabel('当前密码').fill(PASSWORD);
  const begun = page.waitForResponse((answer) => answer.url().endsWith('/secondFactor') && answer.ok());
  await setup.getByRole('button', { name: '下一步' }).click();
  const { data } = await (await begun).json();
  const authenticator = URI.parse(data.uri);
  await setup.getByLabel('两步验证二维码').waitFor();
  await setup.getByLabel('验证码', { exact: true }).fill(authenticator.generate());
  await setup.getByRole('button', { name: '确认并开启' }).click();
  const paper = dialogOf(page, '恢复码').getByRole('listitem');
  await paper.first().waitFor();
  const codes = await paper.allTextContents();
  expect(codes).toHaveLength(10);
  await press(page, '我已保存');
  await page.getByText(/恢复码还剩 10 个/).waitFor();

  // A code is good for once: the next one, and one of those on paper.
  const next = authenticator.generate({ timestamp: Date.now() + 30_000 });
  const byCode = await product.open('visitor', '/login');
  for (const [at, code] of [
    [byCode, next],
    [await product.open('visitor', '/login'), codes[0]!],
  ] as const) {
    await signIn(at, '两步的-1', PASSWORD);
    await at.getByLabel('两步验证码').fill(code);
    await press(at, /^登\s?录$/);
    await at.getByRole('button', { name: /两步的-1/ }).waitFor();
  }

  await page.reload();
  await press(page, /两步的-1/);
  await page.getByRole('menuitem', { name: '个人设置' }).click();
  await page.getByText(/恢复码还剩 9 个/).waitFor();
  const sessions = page.getByRole('region', { name: '登录会话' });
  await sessions.getByRole('button', { name: '退出其他全部设备' }).click();
  await confirm(page, /退出：其他全部设备/, /^退\s?出$/);
  await byCode.goto(`${product.url}/user/apiKey`);
  await byCode.waitForURL(/\/login\?callback=/);
  await sessions.getByText('当前').waitFor();
});

test('what an engine did comes to the bell at once and leads to its hedge', async () => {
  const page = await product.open('trader', '/');
  await page.getByRole('button', { name: '通知', exact: true }).waitFor();
  const context = page.context();
  await product.write(context, hedgeConfig.create, DEFAULT_SETTINGS);
  const { pairId } = await product.write(context, hedgeConfig.addPair, {
    long: 'SOLUSDT',
    short: 'ADAUSDT',
    accepts: [...PAIR_WARNINGS],
  });
  await product.write(context, hedgeConfig.enable, { open: [pairId] });
  await press(page, /^通知，1 条未读$/);
  await dialogOf(page, '通知')
    .getByRole('button', { name: /已开仓.*SOLUSDT \/ ADAUSDT/s })
    .click();
  await page.waitForURL(/\/strategy\/hedge\?id=/);
  await page.getByRole('dialog').getByText('SOLUSDT').first().waitFor();
  await page.getByRole('button', { name: '通知', exact: true, includeHidden: true }).waitFor({ state: 'attached' });
});

test('a view is saved, a screen is found by Ctrl K, another one by g and a letter, and the view is there again', async () => {
  const page = await product.open('trader', '/indicator/hedge?search=ETH');
  await press(page, '视图');
  await page.getByLabel('视图名称').fill('只看 ETH');
  await press(page, /^保\s?存$/);
  await page.getByRole('button', { name: '只看 ETH', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('h1').first().click();
  await page.keyboard.press('Control+k');
  await dialogOf(page, '搜索').waitFor();
  await page.keyboard.type('密钥');
  await page.locator('.ant-select-item-option-active', { hasText: 'API 密钥' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/user\/apiKey/);
  await dialogOf(page, '搜索').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL((url) => url.pathname === '/indicator/hedge');
  await press(page, '视图');
  await press(page, /^只看 ETH$/);
  await page.waitForURL(/search=ETH/);
  expect(placeOf(page)).toBe('/indicator/hedge?search=ETH');
});
