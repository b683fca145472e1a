import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IApi } from '@umijs/max';
import { transformSync } from 'esbuild';

/**
 * Umi loads this file by its name, as a plugin of the build. It puts the empty frame into the page, with a way past head and menu before it; and as the page asks for a route's scripts early
 * by the first pattern that fits its address, and Umi lists `/*` first, a coin's page would ask for those of the 404 screen: without it the right one
 * is found.
 */
const FIRST_FRAME = `<div class="first-frame" role="status" aria-label="正在加载"><header><img src="/logo.svg" alt="" width="28" height="28">Hedge Console</header><nav></nav><div class="coming"><i></i><i></i></div></div>`;

const SKIP_LINK = '<a class="skip-link" href="#screen">跳到主要内容</a>';

export default function buildHooks(api: IApi): void {
  // Drawn before any script or sheet has come: the sheet of all pages is ten times what comes before it, and stands behind.
  api.modifyHTML((page) => {
    const css = readFileSync(path.join(api.paths.absSrcPath, 'firstFrame.css'), 'utf8');
    page('head').append(`<style>${transformSync(css, { loader: 'css', minify: true }).code.trim()}</style>`);
    page('#root').before(SKIP_LINK).after(FIRST_FRAME);
    page('.first-frame').after(page('head link[rel=stylesheet]'));
    return page;
  });
  api.onBuildComplete({
    stage: Number.NEGATIVE_INFINITY,
    fn: () => {
      const routes = Object.values<{ path: string; file?: string }>(api.appData.routes);
      for (const route of routes) if (route.path === '/*') delete route.file;
    },
  });
}
