import { STRATEGY_KINDS } from '#contract/strategy';
import { KINDS } from '../../src/kinds';
import { projectFiles, textOf } from '../support/projectFiles';

/** Whether a text decides by the kind: compares with it, or says a strategy or deal is of it. */
const branchesOn = (text: string, kind: string): boolean =>
  new RegExp(`(\\bkinds?\\b[^\\n;]*[=!]==? *|\\bcase +|\\bkind: *|_kind = *)'${kind}'`).test(text);

/** All that lists every kind, and so what a new one touches beside its own files. */
const INDEXES = ['contract/strategy.ts', 'server/kinds/kinds.ts', 'src/kinds.ts'];

/** The kind that was there first: its desk is older than the indexes. */
const FIRST: readonly string[] = ['hedge'];

/** Whether a file is the kind's own: it, or a folder that it lies in, is called after the kind. */
const isOwn = (file: string, kind: string): boolean => file.split('/').some((part) => part.startsWith(kind));

const code = projectFiles().filter((file) => /^(server|src|mock)\/.*\.tsx?$/.test(file) && !INDEXES.includes(file));

test.each(STRATEGY_KINDS)('no file but its own, the contract and the indexes decides by the kind %s', (kind) => {
  const own = code.filter((file) => isOwn(file, kind));
  expect(own).toContain(`server/kinds/${kind}/runner.ts`);
  expect(code.filter((file) => !own.includes(file) && branchesOn(textOf(file), kind))).toEqual([]);
});

test('what decides by a kind is told from what only has a word in common with it', () => {
  for (const text of ["if (strategy.kind === 'hedge') close();", "case 'hedge':", "run({ kind: 'hedge' });"])
    expect(branchesOn(text, 'hedge')).toBe(true);
  for (const text of ["stream.publish({ topic: 'hedge', type: 'hedge', data });", "useStream(['account', 'hedge'])"])
    expect(branchesOn(text, 'hedge')).toBe(false);
  expect(branchesOn("const style = { display: 'grid' };", 'grid')).toBe(false);
});

/** The modules of the project that a file imports, as it names them: an exchange may share its name with a kind. */
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:\bfrom |\bimport\()'([^']+)'/g)]
    .map(([, name]) => name!)
    .filter((name) => !name.includes('node_modules/'));

test.each(STRATEGY_KINDS.filter((kind) => !FIRST.includes(kind)))(
  'no file but its own and the indexes takes anything from those of the kind %s',
  (kind) => {
    const all = projectFiles().filter((file) => /^(contract|server|src)\/.*\.tsx?$/.test(file));
    // There an exchange is called as it is called, and wings keep the market from all kinds.
    const isExchange = (file: string) => file.startsWith('server/market/live/');
    const others = all.filter((file) => !isOwn(file, kind) && !isExchange(file) && !INDEXES.includes(file));
    expect(others.filter((file) => importsOf(file).some((name) => isOwn(name, kind)))).toEqual([]);
  },
);

// The overview loads it by that path, which nothing checks before somebody edits a strategy.
test.each(STRATEGY_KINDS.filter((kind) => KINDS[kind].hasForm))(
  'the screen of %s has the form of its params',
  (kind) => {
    expect(textOf(`src/pages/strategy/${kind}/form.tsx`)).toMatch(/^export const form\b/m);
  },
);
