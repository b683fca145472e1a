import { productOfTests } from '../support/browser';

const product = productOfTests();

describe('signing in', () => {
  test('a click fills in a demo account, and the callback is where he arrives', async () => {
    const page = await product.open('visitor', '/test/hedge?long=BTCUSDT');
    await page.waitForURL(/\/login\?callback=/);
    await page.getByRole('button', { name: /trader/ }).click();
    await page.getByRole('button', { name: /^登\s?录$/ }).click();
    await page.waitForURL(/\/test\/hedge\?long=BTCUSDT/);
    await page.getByRole('button', { name: /trader/ }).waitFor();
  });

  test('registering makes a user who is signed in and has no master screens', async () => {
    const page = await product.open('visitor', '/register');
    await page.getByLabel('用户名').fill('新来的-1');
    await page.getByLabel('密码', { exact: true }).fill('short');
    await page.getByLabel('确认密码').fill('short');
    await page.getByRole('button', { name: '注册并登录' }).click();
    await page.getByText('密码至少 10 个字符').first().waitFor();
    await page.getByLabel('密码', { exact: true }).fill('a long enough secret');
    await page.getByLabel('确认密码').fill('a long enough secret');
    await page.getByRole('button', { name: '注册并登录' }).click();
    await page.waitForURL(`${product.url}/`);
    await page.getByRole('button', { name: /新来的-1/ }).waitFor();
    await page.goto(`${product.url}/user/center`);
    await page.getByText('抱歉，你没有权限访问该页面').waitFor();
  });
});

test('who registers on the way to a pair has an account with its capital and still has the pair, also after a reload', async () => {
  const page = await product.open('visitor', '/strategy/hedge?long=SOLUSDT&short=ADAUSDT&leverage=4&ratio=equal');
  await page.waitForURL(/\/login\?callback=/);
  await page.getByRole('link', { name: '注册账户' }).click();
  await page.getByLabel('用户名').fill('路过的-1');
  await page.getByLabel('密码', { exact: true }).fill('a long enough secret');
  await page.getByLabel('确认密码').fill('a long enough secret');
  await page.getByRole('button', { name: '注册并登录' }).click();
  await page.waitForURL(/\/strategy\/hedge\?long=SOLUSDT/);
  await page.reload();
  await page.getByText('你带来的一对：做多 SOLUSDT / 做空 ADAUSDT').waitFor();
  await page.getByRole('button', { name: '第一步：设置参数' }).click();
  await page.getByRole('button', { name: '检查并保存' }).click();
  await page.getByRole('button', { name: '确认保存' }).click();
  const dialog = page.getByRole('dialog', { name: '添加交易对' });
  await dialog.getByText('SOLUSDT').first().waitFor();
  await page.goto(`${product.url}/`);
  await page.getByText('100,000.00').first().waitFor();
});

test('the empty frame is there before it is known who asks, and not where one signs in', async () => {
  const context = await product.contextOf('trader');
  let answer = () => {};
  const known = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await context.route('**/api/user', async (route) => {
    await known;
    await route.continue();
  });
  const page = await context.newPage();
  await page.goto(product.url);
  const frame = page.getByRole('status', { name: '正在加载' });
  await frame.waitFor();
  answer();
  await page.getByText('总权益').first().waitFor();
  expect(await frame.isVisible()).toBe(false);
  const login = await product.open('visitor', '/login');
  await login.getByLabel('用户名').waitFor();
  expect(await login.getByRole('status', { name: '正在加载' }).isVisible()).toBe(false);
});

test('an unknown address is a 404 screen and a 404 answer', async () => {
  const page = await product.open('trader', '/');
  const answer = await page.goto(`${product.url}/no/such/screen`);
  expect(answer?.status()).toBe(404);
  await page
    .getByText(/没有这个页面/)
    .first()
    .waitFor();
});

test('the dark theme and the colour habit survive a reload', async () => {
  const page = await product.open('trader', '/indicator/hedge');
  await page.getByText('BTCUSDT').first().waitFor();
  const colours = () =>
    page.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.documentElement).getPropertyValue('--up').trim(),
    ]);
  const before = await colours();
  await page.getByRole('button', { name: '外观' }).click();
  await page.getByText('深色').click();
  await page.getByRole('button', { name: '外观' }).click();
  await page.getByText('红涨绿跌').click();
  await page.reload();
  await page.getByText('BTCUSDT').first().waitFor();
  const after = await colours();
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
});
