import { parseArgs } from 'node:util';
import { StartRefusal } from '../../base/startRefusal';
import { writeBackup } from '../backup/writeBackup';
import { readConfig } from '../config';
import { runningServer } from '../controlClient';
import { runProgram } from '../runProgram';

const USAGE = `用法：npm run backup -- 文件
把内嵌数据库写入一个 .tar.gz 文件；服务运行时也可以，其间的写入会等待片刻。`;

function readFileName(): string | null {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
    if (values.help) return null;
    const [file, ...rest] = positionals;
    if (file !== undefined && rest.length === 0) return file;
  } catch {
    // Told below.
  }
  throw new StartRefusal(USAGE);
}

async function main(): Promise<void> {
  const file = readFileName();
  if (file === null) return console.log(USAGE);
  const { dataDir, database, app } = readConfig();
  if (database.kind !== 'folder') throw new StartRefusal('外部数据库请用 PostgreSQL 自己的 pg_dump 备份');
  const server = await runningServer({ dataDir });
  const byServer = server && ((order: object) => server('POST', '/copy', order));
  const bytes = await writeBackup({ dataDir, file, version: app.version, now: Date.now(), byServer });
  console.log(`已备份到 ${file}（${(bytes / 1024 / 1024).toFixed(1)} MB）`);
  console.log('主密钥（secret.key 或 SECRET_KEY）不在其中，请另行保管：没有它，备份里的交易所密钥不能读取');
}

await runProgram(main);
