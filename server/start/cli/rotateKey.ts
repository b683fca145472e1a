import { MASTER_FILE } from '../../base/db/embedded/dataFolder';
import { masterKeyOf } from '../../base/secret/sealing';
import type { Rewrapped } from '../../base/secret/vault';
import { readConfig } from '../config';
import { withControl } from '../controlClient';
import { runProgram } from '../runProgram';

/** Wraps the data keys of all stored secrets anew, by the running server or on the database itself. */
async function main(): Promise<void> {
  const config = readConfig();
  const [newest] = config.masterKeys;
  const given = newest === undefined ? null : masterKeyOf(newest).id;
  const { masterId, count, locked } = await withControl(config, (call) =>
    call<Rewrapped>('POST', '/secret/rotate', { given }),
  );
  console.log(`已用主密钥 ${masterId} 重新加密 ${count} 个密钥`);
  if (locked > 0) console.log(`另有 ${locked} 个不能读取（主密钥不在这里，或已损坏），没有改动`);
  console.log(
    given === null
      ? `新主密钥在 ${config.dataDir}/${MASTER_FILE}，旧的已删去：请另行备份它，并重新备份数据库（旧备份里的密钥要用旧主密钥）`
      : '现在可以从 SECRET_KEY 去掉旧的主密钥；旧备份里的密钥仍要用它',
  );
}

await runProgram(main);
