import path from 'node:path';
import { projectFiles, textOf } from '../support/projectFiles';

interface Wing {
  wing: string;
  /** Its sentence in README.md. */
  holds: string;
  /** All that it may import from, beside the contract and itself. */
  imports: string[];
}

/** From the top floor to the lowest. */
const WINGS = JSON.parse(textOf('tests/house/wings.json')) as Wing[];

const sources = projectFiles().filter((file) => /^server\/.*\.ts$/.test(file));

/** The wing of a file; what lies beside the wings begins everything, as `start` does. */
const wingOf = (file: string): string => (file.split('/').length === 2 ? 'start' : file.split('/')[1]!);

/** Files of other wings that a file imports. */
function taken(file: string): string[] {
  const names = [...textOf(file).matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)].map(([, name]) => name!);
  return names
    .map((name) => path.posix.join(path.posix.dirname(file), name))
    .filter((name) => name.startsWith('server/') && wingOf(name) !== wingOf(file));
}

test('every folder of the server is a wing of the list', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect([...new Set(sources.map(wingOf))].sort()).toEqual(WINGS.map(({ wing }) => wing).sort());
});

test('a wing takes from lower floors alone, so that no two take from each other', () => {
  const floors = WINGS.map(({ wing }) => wing);
  const up = WINGS.flatMap(({ wing, imports }) =>
    imports.filter((other) => floors.indexOf(other) <= floors.indexOf(wing)).map((other) => `${wing} -> ${other}`),
  );
  expect(up).toEqual([]);
});

test.each(WINGS)('$wing takes from those that the list names, and needs each of them', ({ wing, imports }) => {
  const own = sources.filter((file) => wingOf(file) === wing);
  const others = own.flatMap((file) => taken(file).map((name) => ({ file, name, from: wingOf(name) })));
  expect(others.filter(({ from }) => !imports.includes(from))).toEqual([]);
  expect([...new Set(others.map(({ from }) => from))].sort()).toEqual([...imports].sort());
});

test('only what follows exchanges takes from ccxt', () => {
  const takes = sources.filter((file) => /(?:\bfrom |\bimport\()'([^']*\/)?ccxt[/']/.test(textOf(file)));
  expect(takes.length).toBeGreaterThan(3);
  expect(takes.filter((file) => !file.startsWith('server/market/live/'))).toEqual([]);
});

test('the table of README.md says of each wing what the list says', () => {
  const rows = WINGS.map(({ wing, holds }) => `| \`server/${wing}/\` | ${holds} |`);
  expect(textOf('README.md').replaceAll(/ +/g, ' ')).toContain(rows.join('\n'));
});
