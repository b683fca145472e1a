import type { IApi } from '@umijs/max';

/**
 * Umi loads this file by its name, as a plugin of the build. The page asks for a route's scripts early by the first pattern that fits its address,
 * and Umi lists `/*` first: a coin's page would ask for those of the 404 screen. Without it the right one is found.
 */
export default function preloadOrder(api: IApi): void {
  api.onBuildComplete({
    stage: Number.NEGATIVE_INFINITY,
    fn: () => {
      const routes = Object.values<{ path: string; file?: string }>(api.appData.routes);
      for (const route of routes) if (route.path === '/*') delete route.file;
    },
  });
}
