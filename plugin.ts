import type { IApi } from '@umijs/max';

/**
 * Umi loads this file by its name, as a plugin of the build. It puts the empty frame into the page, with a way past head and menu before it; and as the page asks for a route's scripts early
 * by the first pattern that fits its address, and Umi lists `/*` first, a coin's page would ask for those of the 404 screen: without it the right one
 * is found.
 */
const FIRST_FRAME = `<div class="first-frame" role="status" aria-label="正在加载"><header><img src="/logo.svg" alt="" width="28" height="28">Hedge Console</header><nav></nav><div><i></i><i></i></div></div>`;

const SKIP_LINK = '<a class="skip-link" href="#screen">跳到主要内容</a>';

export default function buildHooks(api: IApi): void {
  // Drawn before any script has come, see .first-frame in global.css.
  api.modifyHTML((page) => {
    page('#root').before(SKIP_LINK).after(FIRST_FRAME);
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
