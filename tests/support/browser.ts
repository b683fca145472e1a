import { randomUUID } from 'node:crypto';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Static, TSchema } from 'typebox';
import type { BodyOf, Endpoint } from '#contract/endpoint';
import { CHROMIUM_FLAGS, findChromium } from './chromium.mjs';
import { type ServerProcess, startServer } from './serverProcess';

export type Visitor = 'master' | 'editor' | 'trader' | 'visitor';

const WINDOW: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  // What moves is drawn sixty times a second, and waited for.
  reducedMotion: 'reduce',
};

/** The built product with its demo market, and a browser in front of it. */
export async function openProduct(usual: BrowserContextOptions = {}, env: Record<string, string> = {}) {
  const server: ServerProcess = await startServer({ built: true, env });
  const browser: Browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });

  /** A browser of its own, signed in through the API the way the console does. */
  async function contextOf(who: Visitor, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ ...WINDOW, ...usual, ...options });
    // The first look at a product that has just started, beside two others on two cores, may take half of this.
    context.setDefaultTimeout(60_000);
    if (who === 'visitor') return context;
    const answer = await context.request.post(`${server.url}/api/login`, {
      data: { username: who, password: `demo-${who}` },
      headers: { origin: server.url },
    });
    if (!answer.ok()) throw new Error(`${who} could not sign in: ${await answer.text()}`);
    return context;
  }

  /** Writes as whoever is signed in there. @throws what was answered when it is no success. */
  async function write<D extends TSchema, E extends Endpoint>(
    { request }: BrowserContext,
    { method, path }: E & { data: D },
    body?: BodyOf<E>,
  ): Promise<Static<D>> {
    const answer = await request.fetch(server.url + path, {
      method,
      ...(body === undefined ? {} : { data: body }),
      headers: { origin: server.url, 'idempotency-key': randomUUID() },
    });
    if (!answer.ok()) throw new Error(`${path} was answered ${await answer.text()}`);
    return (await answer.json()).data;
  }

  /** Opens a path as somebody; the page remembers what went wrong in it. */
  async function open(who: Visitor, path: string, options?: BrowserContextOptions): Promise<Page> {
    const context = await contextOf(who, options);
    const page = await context.newPage();
    await page.goto(server.url + path);
    return page;
  }

  return {
    server,
    url: server.url,
    contextOf,
    write,
    open,
    /** Closes what was opened in the browser: a page that nobody looks at goes on drawing what moves. */
    leave: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    close: async () => {
      await browser.close();
      await server.kill();
    },
  };
}

export type Product = Awaited<ReturnType<typeof openProduct>>;

/**
 * One product for the tests of a file, there from their `beforeAll` on; each test opens pages of its own.
 * @param usual what their browsers are like, where that is not what all others are like
 * @param env the server's environment, where it is not that of a demo
 */
export function productOfTests(usual?: BrowserContextOptions, env?: Record<string, string>): Product {
  const product = {} as Product;
  beforeAll(async () => {
    Object.assign(product, await openProduct(usual, env));
  });
  afterEach(() => product.leave());
  afterAll(() => product.close());
  return product;
}

/** Path and query of where a page is. */
export function placeOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** Exceptions that no code of the page caught, from now on. */
export function crashesOf(page: Page): string[] {
  const crashes: string[] = [];
  page.on('pageerror', (error) => crashes.push(error.message));
  return crashes;
}
