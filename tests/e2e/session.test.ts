import { placeOf, productOfTests } from '../support/browser';

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

  test('a wrong password is said, keeps the name, and does not sign in', async () => {
    const page = await product.open('visitor', '/login');
    await page.getByLabel('用户名').fill('master');
    await page.getByLabel('密码', { exact: true }).fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('用户名或密码错误').first().waitFor();
    expect(await page.getByLabel('用户名').inputValue()).toBe('master');
    expect(placeOf(page)).toBe('/login');
  });

  test('a foreign callback is not followed', async () => {
    const page = await product.open('visitor', '/login?callback=https%3A%2F%2Fexample.com%2F');
    await page.getByRole('button', { name: /trader/ }).click();
    await page.getByRole('button', { name: /^登\s?录$/ }).click();
    await page.waitForURL(`${product.url}/`);
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

  test('leaving in one tab leaves in all of them', async () => {
    const context = await product.contextOf('editor');
    const [first, second] = [await context.newPage(), await context.newPage()];
    await first.goto(`${product.url}/`);
    await second.goto(`${product.url}/indicator/hedge`);
    await second.getByText('BTCUSDT').first().waitFor();
    await first.getByRole('button', { name: /editor/ }).click();
    await first.getByText('退出登录').click();
    await first.waitForURL(/\/login/);
    await second.waitForURL(/\/login/);
  });
});

describe('rights', () => {
  test('the menu of a user has no master screens; a master has them', async () => {
    const trader = await product.open('trader', '/');
    await trader.getByRole('menuitem', { name: '策略管理' }).click();
    await trader.getByText('多空对冲').first().waitFor();
    expect(await trader.getByText('花式网格').count()).toBe(0);
    const master = await product.open('master', '/');
    await master.getByRole('menuitem', { name: '策略管理' }).click();
    await master.getByText('花式网格').first().waitFor();
  });

  test('a group leads to its first allowed screen', async () => {
    const page = await product.open('trader', '/user');
    await page.waitForURL(/\/user\/apiKey/);
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
});

describe('when the server does not answer', () => {
  test('the start ends in a screen with a retry, and the retry works', async () => {
    const context = await product.contextOf('trader');
    const page = await context.newPage();
    await page.route('**/api/user', (route) => route.abort());
    await page.goto(`${product.url}/`);
    const retry = page.getByRole('button', { name: /重\s?试/ });
    await retry.waitFor();
    await page.unroute('**/api/user');
    await retry.click();
    await page.getByRole('button', { name: /trader/ }).waitFor();
  });

  test('a page of a proxy in place of an answer is a failure, not a crash', async () => {
    const context = await product.contextOf('trader');
    const page = await context.newPage();
    await page.route('**/api/hedge/evaluate?*', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<html><body>Bad gateway</body></html>' }),
    );
    await page.goto(`${product.url}/indicator/hedge`);
    await page
      .getByRole('button', { name: /重\s?试/ })
      .first()
      .waitFor();
  });
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
