import { matchRoutes, useAppData } from '@umijs/max';
import { useEffect } from 'react';

/** A screen may begin what it reads before it is there. @param search what its address asks */
interface Screen {
  ahead?: (search: URLSearchParams) => void;
}

/** What React makes of `lazy`: what it loads by, what came of that, and how it takes it in. */
interface LazyScreen {
  _payload: { _result: unknown };
  _init: (payload: unknown) => unknown;
}

/** Loads a screen before it is shown. */
async function load({ _payload: payload, _init: takeIn }: LazyScreen): Promise<Screen | undefined> {
  const { _result: result } = payload;
  const module = await (typeof result === 'function' ? result() : result);
  try {
    // What React still has to wait for, be it for a moment, it keeps back for 300 ms.
    takeIn(payload);
  } catch {
    // It takes it in at the next moment.
  }
  return module?.default;
}

/** Whoever passes over a link goes on sooner. */
const MEANT_MS = 60;

/** Loads the screen that a link leads to, and begins what it reads, as soon as somebody points at it. */
export function usePreload(): void {
  const { clientRoutes, routeComponents } = useAppData();
  useEffect(() => {
    let pointed: HTMLAnchorElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const bring = async ({ origin, pathname, search }: HTMLAnchorElement) => {
      if (origin !== location.origin || pathname === location.pathname) return;
      for (const { route } of matchRoutes(clientRoutes, pathname) ?? []) {
        const known = (routeComponents as Record<string, Screen | LazyScreen>)[(route as { id?: string }).id ?? ''];
        const screen = known !== undefined && '_payload' in known ? await load(known) : known;
        screen?.ahead?.(new URLSearchParams(search));
      }
    };
    const point = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null;
      if (link === pointed) return;
      pointed = link;
      clearTimeout(timer);
      // What does not come is asked for again by whoever opens it.
      if (link !== null) timer = setTimeout(() => void bring(link).catch(() => {}), MEANT_MS);
    };
    const HINTS = ['pointerover', 'focusin'];
    for (const hint of HINTS) document.addEventListener(hint, point);
    return () => {
      clearTimeout(timer);
      for (const hint of HINTS) document.removeEventListener(hint, point);
    };
  }, [clientRoutes, routeComponents]);
}
