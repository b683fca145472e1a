import { type ApiKeyRow, apiKey, KEY_STATE_LABEL } from '#contract/apiKey';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { keyTitle } from './keyLabels';

const strategiesOf = ({ uses }: ApiKeyRow): string[] => [
  ...new Set(uses.flatMap(({ strategies }) => strategies.map(({ name }) => name))),
];

/** What goes on using the key, in words. */
function UsedBy({ row }: { row: ApiKeyRow }) {
  const names = strategiesOf(row);
  return <p>{names.length === 0 ? '没有策略使用它。' : `使用它的策略：${names.join('、')}。`}</p>;
}

/** Asks the exchange about a stored key, and tells what came of it. */
export async function testStored(row: ApiKeyRow, done: () => void): Promise<void> {
  try {
    const { outcome, reason, findings } = await call(apiKey.test, { body: { id: row.id } });
    const title = keyTitle(row);
    if (outcome !== 'accepted') toast.error(`${title}：${reason ?? KEY_STATE_LABEL.failed}`);
    else if (findings.length === 0) toast.success(`${title}：测试通过`);
    else toast.info(`${title}：${findings.map(({ text }) => text).join('；')}`);
  } catch {
    // The call itself has said what went wrong.
  } finally {
    done();
  }
}

async function turn(row: ApiKeyRow, enabled: boolean, done: () => void): Promise<void> {
  await call(apiKey.status, { body: { id: row.id, enabled } });
  toast.success(`${keyTitle(row)} 已${enabled ? '启用' : '停用'}`);
  done();
}

export function confirmDisable(row: ApiKeyRow, done: () => void): void {
  confirmAction({
    verb: '停用',
    subject: keyTitle(row),
    consequence: (
      <>
        <p>停用后不再用它连接交易所；内容保留，随时可以启用。</p>
        <UsedBy row={row} />
      </>
    ),
    run: () => turn(row, false, done),
  });
}

export const enable = (row: ApiKeyRow, done: () => void): Promise<void> =>
  // The call itself has said what went wrong.
  turn(row, true, done).catch(() => {});

export function confirmDelete(row: ApiKeyRow, done: () => void): void {
  confirmAction({
    verb: '删除',
    subject: keyTitle(row),
    consequence: (
      <>
        <p>本系统将删去它的 Key 与 Secret，不能恢复；交易所里的密钥不受影响，请另行在那里删除。</p>
        <UsedBy row={row} />
      </>
    ),
    run: async () => {
      await call(apiKey.remove, { body: { id: row.id } });
      toast.success(`${keyTitle(row)} 已删除`);
      done();
    },
  });
}
