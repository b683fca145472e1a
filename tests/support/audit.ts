import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

const WIDTHS = [1440, 390] as const;
/** A screen that takes longer to follow its window is too wide for it. */
export const LAID_OUT_MS = 5_000;
const HEIGHTS = { 1440: 900, 390: 844 } as const;
type Theme = 'light' | 'dark';
/** Screens that are laid out anew for a phone; the others are as they are beside, in less room. */
const OWN_ON_PHONE = [
  '/',
  '/login',
  '/register',
  '/strategy/hedge',
  '/strategy/overview',
  '/strategy/spread?search=b',
  '/strategy/spread?tab=mine',
  '/indicator/hedge',
];

/** Of many rows of a kind these say nothing that the first ones do not. */
const MORE_ROWS = 'tr.ant-table-row:nth-child(n + 6), article:nth-child(n + 5)';
/** Nothing but colours differs between the themes. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** antd's list of options, for who does not see it, says of a group's name too that it is not chosen. */
const ANTD_GROUPS = '[role=listbox] > [role=presentation]';

/** It is judged at rest, and a list is as long as that takes. */
const STILL = `
  *, *::before, *::after { animation: none !important; transition: none !important; }
  ${MORE_ROWS} { display: none; }
`;

/** Gives every page of a browser, which is at rest, what looks for barriers. */
export async function prepareAudit(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe.source });
  await context.addInitScript((css) => {
    addEventListener('DOMContentLoaded', () => {
      const style = document.createElement('style');
      style.textContent = css;
      document.head.append(style);
    });
  }, STILL);
}

/** Selects what stands where something is on its way. */
const ON_ITS_WAY = '.ant-skeleton, .ant-spin-spinning, .banners-room';

/** Waits until nothing on a page is on its way any more, also what is loaded when it comes into view. */
export async function settle(page: Page): Promise<void> {
  const loaded = () =>
    page
      // Not with each frame: a page that draws none would never be looked at.
      .waitForFunction((onItsWay) => document.querySelector(onItsWay) === null, ON_ITS_WAY, { polling: 50 })
      .catch(async (error: unknown) => {
        const waiting = await page.evaluate(
          (onItsWay) => document.querySelector(onItsWay)?.parentElement?.outerHTML,
          ON_ITS_WAY,
        );
        throw new Error(`${page.url()} waits for ${waiting?.slice(0, 2_000)}`, { cause: error });
      });
  await loaded();
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 700) {
      scrollTo(0, y);
      // What comes into view is told with a frame, which a busy machine draws late.
      const frames = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      await Promise.race([frames, new Promise((resolve) => setTimeout(resolve, 500))]);
    }
    scrollTo(0, 0);
  });
  await loaded();
}

/** The same of a page that may be opened anew. */
async function settleOrReload(page: Page): Promise<void> {
  try {
    await settle(page);
  } catch (error) {
    console.warn('loaded once more:', error);
    await page.reload();
    await settle(page);
  }
}

interface Look {
  besides: string;
  /** A selector; absent: the whole page. */
  within: string | undefined;
  /** Absent: all of them. */
  rules: string[] | undefined;
}

/** Runs in the page. */
async function findings({ besides, within, rules }: Look): Promise<string[]> {
  const { run } = (globalThis as unknown as { axe: Pick<typeof axe, 'run'> }).axe;
  const root = { exclude: [[besides]], ...(within === undefined ? {} : { include: [[within]] }) };
  const { violations } = await run(root, {
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }),
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, any, all, none }) => {
        const [why] = [...any, ...all, ...none];
        return `${id} at ${target.join(' ')}: ${why?.message}`;
      }),
    );
}

/** Gains and losses, long and short: what tells them apart by nothing but a colour. */
async function colourAlone(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.up, .down')]
      .map(({ textContent }) => textContent ?? '')
      .filter((text) => !/[▲▼↑↓+\-−]|多|空|买|卖|开仓/.test(text))
      .map((text) => `nothing but its colour tells what ${text} is`),
  );
}

/** In which themes a page is looked at in a width, the one it is in first: to change it draws everything anew. */
async function themesFor(page: Page, name: string, width: number): Promise<readonly Theme[]> {
  if (width !== 1440) return OWN_ON_PHONE.includes(name) ? ['light'] : [];
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? ['dark', 'light'] : ['light', 'dark'];
}

/** How wide the page is once it is laid out anew for its window, px. */
async function widthAtRest(page: Page, width: number): Promise<number> {
  await page
    .waitForFunction((most) => document.scrollingElement!.scrollWidth <= most, width, { timeout: LAID_OUT_MS })
    .catch(() => undefined);
  return page.evaluate(() => document.scrollingElement!.scrollWidth);
}

/**
 * Looks at a page, or at a dialog over it, in both themes, and on a phone in light where it is another there.
 * @param within the dialog; absent: the whole page
 * @returns what keeps people out of it (axe-core, serious and critical), what sticks out at the side of a phone, and
 * what only a colour tells, each with where it was seen.
 */
export async function auditOf(page: Page, name: string, within?: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHTS[width] });
    if (within === undefined) await settleOrReload(page);
    for (const theme of await themesFor(page, name, width)) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForSelector(`[data-theme=${theme}]`);
      const rules = theme === 'light' ? undefined : COLOURS;
      const seen = await page.evaluate(findings, { besides: ANTD_GROUPS, within, rules });
      found.push(...seen.map((finding) => `${name}, ${theme}, ${width} px: ${finding}`));
    }
    const wide = await widthAtRest(page, width);
    if (wide > width) found.push(`${name} is ${wide} px wide in a window of ${width}`);
  }
  found.push(...(await colourAlone(page)).map((finding) => `${name}: ${finding}`));
  return found;
}
