import { projectFiles, textOf } from '../support/projectFiles';

interface Locked {
  version?: string;
  integrity?: string;
  optional?: boolean;
  hasInstallScript?: boolean;
}

const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> };
const manifest = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>;
const locked = Object.entries(packages)
  .filter(([place]) => place !== '')
  .map(([place, entry]) => ({ ...entry, place, name: place.slice(place.lastIndexOf('node_modules/') + 13) }));
const versionsOf = (name: string) => locked.filter((entry) => entry.name === name).map(({ version }) => version!);

/** Of releases: a prerelease is before the release that it leads to. */
function isBefore(version: string, floor: string): boolean {
  const [release = '', prerelease] = version.split('-');
  const [is, least] = [release, floor].map((text) => text.split('.').map(Number));
  const first = is!.findIndex((part, i) => part !== least![i]);
  return first === -1 ? prerelease !== undefined : is![first]! < least![first]!;
}

/** Below these there are known holes. */
test.each([
  ['fastify', '5.8.5'],
  ['@fastify/static', '9.1.1'],
  ['drizzle-orm', '0.45.2'],
])('every %s is %s at least', (name, floor) => {
  expect(versionsOf(name)).not.toEqual([]);
  expect(versionsOf(name).filter((version) => isBefore(version, floor))).toEqual([]);
});

test('a version is before a floor by its first part that differs, and a prerelease before its release', () => {
  const before = ['5.8.4', '5.7.9', '4.99.99', '5.8.5-rc.1'].map((version) => isBefore(version, '5.8.5'));
  expect(before).toEqual([true, true, true, true]);
  const after = ['5.8.5', '5.8.10', '5.10.0', '6.0.0', '5.9.0-rc.1'].map((version) => isBefore(version, '5.8.5'));
  expect(after).toEqual([false, false, false, false, false]);
});

test('axios is none of those that somebody else has published', () => {
  expect(versionsOf('axios')).not.toEqual([]);
  for (const version of ['1.14.1', '0.30.4']) expect(versionsOf('axios')).not.toContain(version);
});

test('what is installed is exactly what was locked', () => {
  const root = packages[''] as unknown as Record<string, Record<string, string>>;
  for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies'])
    expect(root[kind]).toEqual(manifest[kind]);
  const direct = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const [name, version] of Object.entries(direct)) {
    expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  }
  // Builds for other platforms are not installed here; what a package brings inside itself is held by its sum.
  const sums = new Map(locked.map(({ place, integrity }) => [place, integrity]));
  const isHeld = ({ place, integrity, optional }: Locked & { place: string }): boolean => {
    const outer = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')));
    return integrity !== undefined || optional === true || sums.get(outer) !== undefined;
  };
  expect(locked.filter((entry) => !isHeld(entry)).map(({ place }) => place)).toEqual([]);
});

test('no package runs anything of its own while it is installed', () => {
  expect(locked.filter((entry) => entry.hasInstallScript).map(({ name }) => name)).toContain('ccxt');
  expect(textOf('.npmrc')).toMatch(/^ignore-scripts=true$/m);
});

describe('where the server only runs', () => {
  const loaded = projectFiles()
    .filter((file) => /^(server|contract)\/.*\.ts$/.test(file))
    .flatMap((file) => [
      ...textOf(file).matchAll(/^(?!import type ).*?(?:from |import\()'(?:[./]+node_modules\/)?([^.#'][^']*)'/gm),
    ])
    .map(([, name]) => name!.split('/', name!.startsWith('@') ? 2 : 1).join('/'))
    .filter((name) => !name.startsWith('node:'));

  test('what it loads is installed, and nothing of what builds it or of the console', () => {
    const beside = Object.keys(manifest.optionalDependencies!);
    expect([...new Set(loaded)].filter((name) => !beside.includes(name)).sort()).toEqual(
      Object.keys(manifest.dependencies!).sort(),
    );
  });

  test('what its packages bring along as binaries of one platform stays', () => {
    for (const file of ['deploy/Dockerfile', 'deploy/upgrade.sh']) {
      expect(textOf(file)).toContain('--omit=dev');
      expect(textOf(file)).not.toContain('--omit=optional');
    }
  });
});
