import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { placeName } from '../../base/db/connection/openDatabase';
import { dataFolder, lockFolder } from '../../base/db/embedded/dataFolder';
import { startFolder } from '../../base/db/embedded/startFolder';
import { copyDatabase, legacySource, type Source } from '../../base/db/move/copyDatabase';
import { StartRefusal } from '../../base/startRefusal';
import { runProgram } from '../runProgram';

const USAGE = `用法：npm run move -- --from 来源 --to 目标
把一个数据库复制到另一个空的数据库，逐表核对行数与校验和；来源不变。来源与目标各是数据目录，或 postgres:// 地址。服务须已停止。`;

const isUrl = (place: string): boolean => /^postgres(ql)?:\/\//.test(place);
const nameOf = (place: string): string => (isUrl(place) ? placeName({ kind: 'url', url: place }) : path.resolve(place));

function readArguments(): { from: string; to: string } | null {
  try {
    const options = { from: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean' } } as const;
    const { from, to, help } = parseArgs({ options }).values;
    if (help) return null;
    if (from && to) return { from, to };
  } catch {
    // Told below.
  }
  throw new StartRefusal(USAGE);
}

async function urlSource(url: string, stop: () => Promise<void> = async () => {}): Promise<Source> {
  const client = new pg.Client({ connectionString: url });
  await client.connect().catch(async ({ code, message }: NodeJS.ErrnoException) => {
    await stop();
    throw new StartRefusal(`不能使用来源（${code ?? message}）`);
  });
  return {
    query: async <Row>(text: string) => {
      const results: unknown = await client.query(text);
      // Several statements have several results.
      return ([results].flat().at(-1) as { rows: Row[] }).rows;
    },
    close: () => client.end().finally(stop),
  };
}

async function openSource(place: string): Promise<Source> {
  if (isUrl(place)) return urlSource(place);
  if (dataFolder.holdsLegacy(place)) {
    const unlock = lockFolder(place);
    const source = await legacySource(dataFolder.legacy(place));
    return { ...source, close: () => source.close().finally(unlock) };
  }
  if (!existsSync(dataFolder.cluster(place))) throw new StartRefusal(`目录 ${place} 里没有数据库`);
  const { url, stop } = await startFolder(place, { onNote: console.log });
  return urlSource(url, stop);
}

async function main(): Promise<void> {
  const asked = readArguments();
  if (asked === null) return console.log(USAGE);
  const { from, to } = asked;
  const source = await openSource(from);
  const target = isUrl(to) ? { url: to, stop: async () => {} } : await startFolder(to, { onNote: console.log });
  const copied = await copyDatabase(source, target.url, nameOf(to)).finally(() => target.stop());
  for (const { table, rows, sum } of copied) console.log(`${table}\t${rows} 行\t校验和 ${sum}`);
  console.log(`已复制 ${copied.length} 张表到 ${nameOf(to)}，逐表核对一致；${nameOf(from)} 没有改动`);
  console.log('主密钥（secret.key 或 SECRET_KEY）不在数据库里：请一并带到新的位置');
}

await runProgram(main);
