import { parseArgs } from 'node:util';
import { StartRefusal } from '../../base/startRefusal';
import { restoreBackup } from '../backup/restoreBackup';
import { readConfig } from '../config';
import { knownMasters } from '../openVault';
import { runProgram } from '../runProgram';

const USAGE = `用法：npm run restore -- 文件 [--force]
把 npm run backup 写的文件恢复为内嵌数据库；服务须已停止。已有数据库时要加 --force，原来的保留在旁边。`;

function readArguments() {
  try {
    const options = { force: { type: 'boolean' }, help: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [file, ...rest] = positionals;
    if (values.help) return null;
    if (file !== undefined && rest.length === 0) return { file, force: values.force === true };
  } catch {
    // Told below.
  }
  throw new StartRefusal(USAGE);
}

async function main(): Promise<void> {
  const asked = readArguments();
  if (asked === null) return console.log(USAGE);
  const config = readConfig();
  const { dataDir, database } = config;
  if (database.kind !== 'folder')
    throw new StartRefusal(
      '外部数据库请用 PostgreSQL 自己的 pg_restore 恢复，然后清空 session 与 one_time_code 两个表',
    );
  const masters = knownMasters(config);
  const restored = await restoreBackup({ dataDir, ...asked, now: Date.now(), masters });
  const { manifest, users, sessions, codes, locked, replaced } = restored;
  const at = new Date(manifest.createdAt).toISOString().slice(0, 19).replace('T', ' ');
  console.log(`已恢复 ${at} UTC 的备份到 ${dataDir}：${users} 个用户`);
  console.log(`已清空 ${sessions} 个登录会话与 ${codes} 个一次性代码：所有人需要重新登录，没有用过的代码请重新生成`);
  console.log('密码、角色、停用与两步验证回到备份时的状态，此后的改动请重做');
  if (replaced !== null) console.log(`原来的数据库在 ${replaced}，确认无误后可以删除`);
  if (locked > 0)
    console.log(
      `${locked} 个密钥（交易所、两步验证、推送签名）由另一个主密钥加密：请恢复 secret.key 或 SECRET_KEY，否则不能读取`,
    );
}

await runProgram(main);
