import { readFileSync } from 'node:fs';
import type { Envelope } from '#contract/envelope';
import { openDatabase } from '../base/db/connection/openDatabase';
import { StartRefusal } from '../base/startRefusal';
import type { Config } from './config';
import { buildControl, type ControlAddress, controlFile } from './control';
import { openVault } from './openVault';

/** Calls one command and answers its data. @throws StartRefusal with the refusal's sentence. */
export type ControlCall = <Data = null>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => Promise<Data>;

/**
 * Runs `work` with the commands of the server that runs on the data folder, or, when none does, with
 * the database opened for as long as it takes.
 */
export async function withControl<T>(config: Config, work: (call: ControlCall) => Promise<T>): Promise<T> {
  const server = await runningServer(config);
  if (server) return work(server);
  const db = await openDatabase(config.database, { onNote: (note) => console.error(note) });
  const vault = async () => (await openVault(config, db)).vault;
  const control = buildControl({ db, clock: Date.now, vault });
  try {
    return await work(async (method, url, body) => {
      const reply = await control.inject({ method, url, ...(body ? { payload: body } : {}) });
      return dataOf(reply.json());
    });
  } finally {
    await control.close();
    await db.close();
  }
}

/** The commands of the server that runs on the data folder; null when none does. */
export async function runningServer({ dataDir }: Pick<Config, 'dataDir'>): Promise<ControlCall | null> {
  const address = await findServer(dataDir);
  return address && ((method, path, body) => callServer(address, method, path, body));
}

/** The running server, or null. A file that a killed server left behind leads to nobody who knows its token. */
async function findServer(dataDir: string): Promise<ControlAddress | null> {
  try {
    const address = JSON.parse(readFileSync(controlFile(dataDir), 'utf8')) as ControlAddress;
    await callServer(address, 'GET', '/ping');
    return address;
  } catch {
    return null;
  }
}

async function callServer<Data>(address: ControlAddress, method: string, path: string, body?: object): Promise<Data> {
  const reply = await fetch(address.url + path, {
    method,
    headers: {
      authorization: `Bearer ${address.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return dataOf((await reply.json()) as Envelope);
}

function dataOf<Data>({ code, message, data }: Envelope): Data {
  if (code !== 200) throw new StartRefusal(message);
  return data as Data;
}
