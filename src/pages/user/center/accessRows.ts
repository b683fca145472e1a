import { accessOf, type Right, ROLES, type Role } from '#contract/access';
import type { AccessTable } from '#contract/userAdmin';
import { type Route, routes } from '@/routes';

/** A screen or a call, and the right that it asks for. */
export interface AccessRow {
  key: string;
  kind: '页面' | '接口';
  name: string;
  /** Path, or method and path. */
  place: string;
  right: Right;
}

/** Groups lead to their screens and ask for nothing of their own. */
const screensOf = (list: readonly Route[]): Route[] =>
  list.flatMap((route) => (route.routes ? screensOf(route.routes) : [route]));

/** Every screen and every call, from the tables that console and server go by. */
export function accessRows(endpoints: AccessTable['endpoints']): AccessRow[] {
  const screens = screensOf(routes).filter(({ path }) => path !== '/*');
  return [
    ...screens.map(
      ({ path, name = path, access = 'open' }): AccessRow => ({
        key: path,
        kind: '页面',
        name,
        place: path,
        right: access,
      }),
    ),
    ...endpoints.map(
      ({ method, path, summary, right }): AccessRow => ({
        key: `${method} ${path}`,
        kind: '接口',
        name: summary,
        place: `${method} ${path}`,
        right,
      }),
    ),
  ];
}

/** What a change of role gives and takes. */
export function roleChange(rows: readonly AccessRow[], from: string, to: string) {
  const [before, after] = [accessOf(from), accessOf(to)];
  return {
    gained: rows.filter(({ right }) => after[right] && !before[right]),
    lost: rows.filter(({ right }) => before[right] && !after[right]),
  };
}

/** The columns of the matrix: every role, then who has no account. */
export const WHO: readonly (Role | undefined)[] = [...ROLES, undefined];
