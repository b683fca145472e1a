import type { BrowserContext, Page, Request } from 'playwright-core';
import { stream } from '#contract/stream';
import { productOfTests } from '../support/browser';

const product = productOfTests();

/** What a browser still allows to one server over HTTP/1.1 is six connections; more tabs than that. */
const TABS = 8;
/** The first ones, the last one: between them are tabs of the account, which load faster. */
const isList = (i: number) => i < 2 || i === TABS - 1;

/** Streams that the browser has open now, and how many it ever opened. */
function streamsOf(context: BrowserContext) {
  const open = new Map<Request, Page>();
  const counts = { ever: 0, open: () => open.size };
  context.on('request', (request) => {
    if (new URL(request.url()).pathname !== stream.events.path) return;
    counts.ever += 1;
    open.set(request, request.frame().page());
  });
  context.on('requestfailed', (request) => open.delete(request));
  context.on('requestfinished', (request) => open.delete(request));
  // Of the requests of a tab that is closed nothing more is heard.
  context.on('page', (page) => {
    page.on('close', () => {
      for (const [request, owner] of open) if (owner === page) open.delete(request);
    });
  });
  return counts;
}

const updatedAt = (page: Page) =>
  page
    .getByText(/更新于/)
    .first()
    .locator('time')
    .textContent();

/** Waits until something holds. */
async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const late = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > late) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The figures on a screen are renewed, and not by reading them again: what it reads now and then stays unanswered. */
async function moves(page: Page): Promise<void> {
  const readings = '**/api/market/ticker*';
  await page.route(readings, () => {});
  for (let changes = 0; changes < 2; changes += 1) {
    const before = await updatedAt(page);
    await until(async () => (await updatedAt(page)) !== before, 'a newer price');
  }
  await page.unroute(readings);
}

test('eight tabs of a browser share one stream, stay usable, and survive the end of the one that held it', async () => {
  const context = await product.contextOf('trader');
  const streams = streamsOf(context);
  const tabs: Page[] = [];
  for (let i = 0; i < TABS; i += 1) {
    const page = await context.newPage();
    tabs.push(page);
    await page.goto(`${product.url}${isList(i) ? '/indicator/hedge' : '/'}`);
    await page
      .getByText(isList(i) ? /更新于/ : '总权益')
      .first()
      .waitFor();
  }
  const lists = () => tabs.filter((page) => page.url().includes('/indicator/hedge'));
  await until(() => streams.open() === 1, 'one stream');
  await Promise.all(lists().map(moves));
  expect(streams.open()).toBe(1);
  const answered = await tabs[TABS - 1]!.evaluate(async () => {
    const startedAt = performance.now();
    await fetch('/api/user');
    return performance.now() - startedAt;
  });
  expect(answered).toBeLessThan(3_000);
  await tabs.shift()!.close();
  await until(() => streams.open() === 1 && streams.ever >= 2, 'the stream of the next tab');
  await Promise.all(lists().map(moves));
  expect(streams.open()).toBe(1);
  const [leaving] = tabs;
  await leaving!.getByRole('button', { name: /trader/ }).click();
  await leaving!.getByText('退出登录').click();
  await Promise.all(tabs.map((page) => page.waitForURL(/\/login/)));
  await until(() => streams.open() === 0, 'no stream after signing out');
  await context.close();
});

test('a visitor has no stream and is served by polling', async () => {
  const context = await product.contextOf('visitor');
  const streams = streamsOf(context);
  const page = await context.newPage();
  await page.goto(`${product.url}/indicator/hedge`);
  const before = await updatedAt(page);
  await until(async () => (await updatedAt(page)) !== before, 'a newer reading');
  expect(streams.ever).toBe(0);
  await context.close();
});

test('a server that falls silent is said to be late, then gone; when it is back the prices move again', async () => {
  const page = await product.open('trader', '/indicator/hedge');
  await page
    .getByText(/更新于/)
    .first()
    .waitFor();
  await moves(page);
  product.server.child.kill('SIGSTOP');
  try {
    await page.getByText('数据延迟').waitFor();
    await page.getByText('离线').first().waitFor();
  } finally {
    product.server.child.kill('SIGCONT');
  }
  await page.getByText('离线').first().waitFor({ state: 'detached' });
  await moves(page);
  await page.context().close();
});
