import { existsSync } from 'node:fs';
import { UNUSED_PARTS } from '../../antdStyles';
import { faultsOf, proParts } from '../../bundle/proParts';
import { projectFiles, ROOT, textOf } from '../support/projectFiles';

const parts = proParts(ROOT);
const all = new Set(parts.flatMap(({ from }) => from));

/** A module is a file, or a folder of that name. */
const stands = (name: string) => {
  const file = name.startsWith('/') ? name : `${ROOT}/node_modules/${name}`;
  return existsSync(`${file}.js`) || existsSync(`${file}/index.js`);
};

test('the parts of pro-components that are replaced stand where the pinned version has them', () => {
  expect(JSON.parse(textOf('package.json')).devDependencies['@ant-design/pro-components']).toBe('3.1.14-7');
  expect(all.size).toBeGreaterThan(30);
  for (const file of all) {
    expect([file, stands(file)]).toEqual([file, true]);
  }
});

test('a build in which one of them was not found fails', () => {
  expect(faultsOf(parts, all)).toEqual([]);
  const [lost] = parts[0]!.from;
  expect(faultsOf(parts, new Set([...all].filter((one) => one !== lost)))).toEqual([
    expect.stringMatching(/valueTypes\.ts replaces no .*ValueTypeToComponent$/),
  ]);
});

test('the style sheet keeps the tree that the column settings are ticked in', () => {
  expect(UNUSED_PARTS).not.toContain('tree');
});

test('no column and no schema of a form asks for a value type that the build leaves out', () => {
  const kept = [...textOf('bundle/valueTypes.ts').matchAll(/(\w+): both\(/g)].map(([, name]) => name);
  expect(kept).toContain('text');
  const asked = projectFiles()
    .filter((file) => /^src\/.*\.tsx?$/.test(file))
    .flatMap((file) =>
      [...textOf(file).matchAll(/\bvalueType\b\s*[:=]\s*\{?\s*['"](\w*)['"]/g)].map(([, type]) => ({ file, type })),
    );
  expect(asked.filter(({ type }) => type !== '' && !kept.includes(type))).toEqual([]);
});
