import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import type { ApiKeyRow } from '#contract/apiKey';
import styles from './index.module.css';
import { useKeyScreen } from './keyContext';

const acts = () => import('./keyActs');

/** The strategies that keep a key from being deleted. */
const running = ({ uses }: ApiKeyRow): string[] => [
  ...new Set(
    uses.flatMap(({ strategies }) => strategies.filter(({ state }) => state !== 'stopped').map(({ name }) => name)),
  ),
];

/** What may be done with a key; what may not says why. */
export function KeyActions({ row }: { row: ApiKeyRow }) {
  const { refresh, rotate, edit } = useKeyScreen();
  const [testing, setTesting] = useState(false);
  const busy = running(row);
  const isLocked = row.state === 'locked' || row.state === 'damaged';
  const test = async () => {
    setTesting(true);
    await (await acts()).testStored(row, refresh);
    setTesting(false);
  };
  return (
    <span className={styles.actions}>
      <Tooltip title={isLocked ? '无法读取，不能测试' : undefined}>
        <Button size="small" loading={testing} disabled={isLocked} onClick={test}>
          测试
        </Button>
      </Tooltip>
      <Button size="small" onClick={() => rotate(row)}>
        更换
      </Button>
      <Button size="small" onClick={() => edit(row)}>
        编辑
      </Button>
      {row.enabled ? (
        <Button size="small" onClick={async () => (await acts()).confirmDisable(row, refresh)}>
          停用
        </Button>
      ) : (
        <Button size="small" onClick={async () => (await acts()).enable(row, refresh)}>
          启用
        </Button>
      )}
      <Tooltip title={busy.length > 0 ? `使用中，不能删除：${busy.join('、')}` : undefined}>
        <Button
          size="small"
          danger
          disabled={busy.length > 0}
          onClick={async () => (await acts()).confirmDelete(row, refresh)}
        >
          删除
        </Button>
      </Tooltip>
    </span>
  );
}
