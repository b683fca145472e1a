import { matchPath } from '@umijs/max';
import { type Route, routes } from './routes';

const flat = (list: Route[]): Route[] => list.flatMap((route) => [route, ...flat(route.routes ?? [])]);

const isOpen = ({ access, layout, routes: children }: Route): boolean =>
  children ? children.some(isOpen) : layout === false || access === 'open';

/** The row of the route table that serves this path; none for an unknown path. */
export function routeOf(pathname: string): Route | undefined {
  return flat(routes).find(({ path }) => path !== '/*' && matchPath(path, pathname) !== null);
}

/** Whether a visitor may be at this path; a group is open when one of its screens is. */
export function isOpenPage(pathname: string): boolean {
  const route = routeOf(pathname);
  return route === undefined || isOpen(route);
}
