import { StartRefusal } from '../../startRefusal';
import { type CopiedTable, copyDatabase, type Source } from './copyDatabase';

/** Opens a database of PGlite, which earlier versions embedded; no other program reads its files. @throws StartRefusal */
export async function legacySource(files: string): Promise<Source> {
  const { PGlite } = await import('@electric-sql/pglite').catch(() => {
    throw new StartRefusal(
      `读取旧版数据库 ${files} 需要 npm 包 @electric-sql/pglite，请先运行 npm ci（不带 --omit=optional）`,
    );
  });
  const postgres = await PGlite.create(files).catch(() => {
    throw new StartRefusal(
      `旧版数据库 ${files} 已损坏，不能打开；文件没有删除，请从备份恢复，或用 DATA_DIR 换一个目录`,
    );
  });
  return {
    query: async <Row>(text: string) => {
      const results = await postgres.exec(text);
      return (results.at(-1)?.rows ?? []) as Row[];
    },
    close: () => postgres.close(),
  };
}

/** Brings a database of PGlite into the empty one at `url`. @param files of PGlite, which stay. */
export async function moveLegacy(files: string, url: string, onNote?: (note: string) => void): Promise<CopiedTable[]> {
  onNote?.(`正在把旧版数据库 ${files} 转换到 PostgreSQL，只需一次…`);
  const copied = await copyDatabase(await legacySource(files), url, files);
  const rows = copied.reduce((sum, table) => sum + table.rows, 0);
  onNote?.(`已转换 ${copied.length} 张表 ${rows} 行，逐表核对一致；旧文件保留在 ${files}，确认无误后可以删除`);
  return copied;
}
