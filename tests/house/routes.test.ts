import { existsSync } from 'node:fs';
import path from 'node:path';
import { accessOf } from '#contract/access';
import { type Route, routes } from '../../src/routes';
import { ROOT } from '../support/projectFiles';

const all = routes.flatMap((route) => [route, ...(route.routes ?? [])]);
const pages = all.filter((route) => route.routes === undefined);

const fileOf = ({ component = '' }: Route) =>
  path.join(ROOT, 'src/pages', component.replace('@/', '../'), component.startsWith('@/') ? '' : 'index.tsx');

describe('the route table', () => {
  // A page is open where nobody says otherwise, so that one is open by mistake is seen here.
  test('opens no page to a visitor but these', () => {
    const open = pages.filter(({ access = 'open' }) => access === 'open').map((route) => route.path);
    expect(open.sort()).toEqual(['/*', '/indicator/hedge', '/login', '/register']);
  });

  test('names only rights that access.ts knows', () => {
    const known = Object.keys(accessOf('master'));
    for (const { access } of all) if (access !== undefined) expect(known).toContain(access);
  });

  test('has each path once, and a screen and a name for it', () => {
    expect(new Set(all.map((route) => route.path)).size).toBe(all.length);
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((page) => !existsSync(fileOf(page))).map((page) => page.path)).toEqual([]);
    expect(all.filter(({ name }) => !name).map((route) => route.path)).toEqual(['/*']);
  });

  test('shows login and register without menu and header', () => {
    for (const path of ['/login', '/register']) expect(all.find((row) => row.path === path)?.layout).toBe(false);
  });
});
