import type { Right } from '#contract/access';
import { type Route, routes } from '@/routes';

interface Screen {
  path: string;
  name: string;
}

const leaves = (list: Route[]): Route[] => list.flatMap((route) => (route.routes ? leaves(route.routes) : [route]));

/** The screens whose label or path holds the text, of those in the menu that the rights allow. */
export function screensFound(text: string, access: Record<Right, boolean>): Screen[] {
  const wanted = text.trim().toLowerCase();
  return leaves(routes)
    .filter(({ hideInMenu, access: right }) => !hideInMenu && right !== undefined && access[right])
    .map(({ path, name }) => ({ path, name: name ?? path }))
    .filter(({ path, name }) => `${name} ${path}`.toLowerCase().includes(wanted));
}
