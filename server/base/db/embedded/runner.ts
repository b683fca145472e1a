import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartRefusal } from '../../startRefusal';
import { copyPostgres, POSTGRES_MAJOR } from './binaries';

/** Who runs PostgreSQL's programs, which refuse to run as root. */
export interface Runner {
  /** Of the programs, libraries and data. */
  native: string;
  /** Before each program, as the arguments of one command. */
  prefix: readonly string[];
  /** Whose files the database's are; undefined: of whoever runs this program. */
  owner?: { uid: number; gid: number };
  /** Where the database's files have to be, when they cannot be in the data folder: a link in it leads to them. */
  elsewhere?: string;
  /** What whoever starts the program should know, in Chinese. */
  note?: string;
}

/** A namespace in which root is nobody; its files stay root's. */
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];
/** Where another user than root reaches programs and data. */
const STATE_FOLDER = '/var/lib/hedge-console';
/** Who has no home and no rights of his own. */
const USERS = ['postgres', 'nobody'];

/**
 * How PostgreSQL's programs are run: as they are; for root in a user namespace where the system grants
 * one; else as another user, with programs and database in a folder which that user reaches.
 * @throws StartRefusal where root has neither
 */
export function runnerFor(native: string): Runner {
  if (process.getuid?.() !== 0) return { native, prefix: [] };
  const [unshare = '', ...flags] = NAMESPACE;
  if (spawnSync(unshare, [...flags, 'true']).status === 0) return { native, prefix: NAMESPACE };
  return asAnotherUser(native);
}

function asAnotherUser(native: string): Runner {
  const name = USERS.find((each) => idOf('-u', each) !== undefined);
  const [uid, gid] = name === undefined ? [] : [idOf('-u', name), idOf('-g', name)];
  if (uid === undefined || gid === undefined) {
    throw new StartRefusal(
      'PostgreSQL 不能以 root 运行，这里既不能建立用户命名空间，也没有用户 postgres 或 nobody：请换一个普通用户运行，或用 DATABASE_URL 指明一个 PostgreSQL',
    );
  }
  mkdirSync(STATE_FOLDER, { recursive: true });
  chmodSync(STATE_FOLDER, 0o755);
  const place = path.join(STATE_FOLDER, `postgres-${POSTGRES_MAJOR}`);
  mkdirSync(place, { recursive: true });
  return {
    native: copyPostgres(native, place),
    prefix: [],
    owner: { uid, gid },
    elsewhere: STATE_FOLDER,
    note: `PostgreSQL 不能以 root 运行，由用户 ${name} 运行；数据库文件在 ${STATE_FOLDER}`,
  };
}

function idOf(flag: string, name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/** Gives a folder with all that is in it to who runs PostgreSQL, where it is another's. */
export function giveTo({ owner }: Pick<Runner, 'owner'>, folder: string): void {
  const wanted = owner ?? (process.getuid?.() === 0 ? { uid: 0, gid: 0 } : undefined);
  if (wanted === undefined || statSync(folder).uid === wanted.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(path.join(entry.parentPath, entry.name), wanted.uid, wanted.gid);
  }
  // Last: whoever is interrupted begins anew.
  chownSync(folder, wanted.uid, wanted.gid);
}
