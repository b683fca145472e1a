import { projectFiles, textOf } from '../support/projectFiles';

const files = projectFiles();
const within = (...folders: string[]) =>
  files.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
const code = within('contract', 'src', 'server', 'mock').filter((file) => /\.(ts|tsx|mjs)$/.test(file));

const offenders = (candidates: string[], pattern: RegExp) => candidates.filter((file) => pattern.test(textOf(file)));

describe('the sources', () => {
  test('are found at all', () => {
    expect(code.length).toBeGreaterThan(20);
  });

  test('have no file named for nothing in particular', () => {
    expect(
      files.filter((file) => /(^|\/)(utils?|helpers?|common|base|manager|data\.d)\.(ts|tsx|mjs)$/.test(file)),
    ).toEqual([]);
  });

  test('take TypeBox by named imports, which cost the browser a sixth of the default one', () => {
    expect(offenders(code, /import\s+\w+[^{]*from 'typebox'/)).toEqual([]);
  });

  test('read the environment in one place', () => {
    const readers = offenders(code, /process\.env\b/).filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'));
    expect(readers.filter((file) => file !== 'server/start/config.ts')).toEqual([]);
  });

  test('load nothing from a foreign host', () => {
    const linked = offenders(
      within('src', 'public'),
      /(src|href|url\(|import\()\s*=?\s*\(?["']?https?:\/\/(?!127\.0\.0\.1|localhost)/,
    );
    expect(linked).toEqual([]);
  });

  test('call the API through services/call alone', () => {
    const callers = offenders(within('src'), /\bfetch\(|from 'axios'|\brequest\b.*from '@umijs\/max'/);
    // The last one asks whether a script of the console is still there, which is no call of the API.
    const known = ['src/app.tsx', 'src/components/chunkFailure.ts'];
    expect(callers.filter((file) => !file.startsWith('src/services/') && !known.includes(file))).toEqual([]);
  });

  test('read of an endpoint in the console what the build leaves there', () => {
    // The schemas of its query and its data are not: a screen takes the schema itself.
    expect(offenders(within('src'), /\.(query|data)[!?]?\.(properties|items)\b|\.(query|data)!/)).toEqual([]);
  });

  test('write no API path by hand in the console', () => {
    expect(
      offenders(within('src/pages', 'src/table', 'src/components', 'src/chart', 'src/form'), /['"`]\/api\//),
    ).toEqual([]);
  });

  test('let a screen import no other screen', () => {
    const crossing = within('src/pages').filter((file) =>
      /from '(@\/pages\/|(\.\.\/){2,}(indicator|test|user|strategy|login))/.test(textOf(file)),
    );
    expect(crossing).toEqual([]);
  });

  test('carry no path of a developer machine and no registry host', () => {
    const forbidden = /\/(home|Users|root)\/\w+\/|registry\.npm(js|mirror)\./;
    expect(
      offenders(
        files.filter((file) => file !== 'tests/house/sources.test.ts'),
        forbidden,
      ),
    ).toEqual([]);
  });
});

describe('package.json', () => {
  const manifest = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>;

  test('pins every dependency exactly', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test('leaves `umi` to Umi Max, which refuses to run beside it', () => {
    expect({ ...manifest.dependencies, ...manifest.devDependencies }).not.toHaveProperty('umi');
  });
});

describe('README.md', () => {
  test('names every environment variable that the server reads', () => {
    const read = [...textOf('server/start/config.ts').matchAll(/\b(?:env|process\.env)(?:\.|\[')([A-Z][A-Z_]+)/g)].map(
      ([, name]) => name,
    );
    expect(read.length).toBeGreaterThan(0);
    for (const name of new Set(read)) expect(textOf('README.md')).toContain(`\`${name}\``);
  });
});

describe('docs/formulas.md', () => {
  const page = textOf('docs/formulas.md');

  test('has a row for every formula that code or screens cite', () => {
    const cited = new Set(code.flatMap((file) => textOf(file).match(/\bF[1-9]\d?\b/g) ?? []));
    expect(cited.size).toBeGreaterThan(20);
    expect([...cited].filter((name) => !new RegExp(`^\\| ${name} +\\|`, 'm').test(page))).toEqual([]);
  });

  test('names files that exist', () => {
    const named = [...page.matchAll(/`(\w+\.ts)`/g)].map(([, file]) => `server/base/maths/${file}`);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
  });
});

test('a style takes no colour or size that nothing sets: it would be lost without a word', () => {
  const texts = projectFiles()
    .filter((file) => /^src\/.*\.(css|tsx?)$/.test(file))
    .map(textOf);
  const namesIn = (pattern: RegExp) =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)));
  const taken = namesIn(/var\((--[\w-]+)/g);
  const set = namesIn(/['\s;{](--[\w-]+)['"]?:/g);
  expect(taken.size).toBeGreaterThan(10);
  expect([...taken].filter((name) => !set.has(name) && !name!.startsWith('--ant-'))).toEqual([]);
});
