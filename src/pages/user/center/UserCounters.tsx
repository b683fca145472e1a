import type { UserCounters as Counters } from '#contract/userAdmin';
import { Amount } from '@/components/Amount';
import { FigureTiles } from '@/components/FigureTiles';
import styles from './index.module.css';

const TILES: { key: keyof Counters; label: string; formula: string; window: string }[] = [
  { key: 'active24h', label: '活跃用户', formula: '登录过或有访问的用户', window: '近 24 小时' },
  { key: 'failedLogins24h', label: '失败登录', formula: '被拒绝与锁定的登录次数', window: '近 24 小时' },
  { key: 'keysExpiring', label: '密钥到期', formula: '将到期或已到期的 API 密钥', window: '14 天内' },
  { key: 'ownerless', label: '无主对冲', formula: '进行中而所属用户已停用的对冲单', window: '现在' },
];

interface UserCountersProps {
  counters: Counters | undefined;
  inputAt: React.ReactNode;
}

/** What a master should notice of all users. */
export const UserCounters = ({ counters, inputAt }: UserCountersProps) => (
  <div className={styles.lock}>
    <FigureTiles
      label="用户计数"
      inputAt={inputAt}
      tiles={TILES.map(({ key, label, formula, window }) => ({
        label,
        formula,
        window,
        figure: <Amount value={counters?.[key]} digits={0} reason="还没有读到" />,
      }))}
    />
  </div>
);
