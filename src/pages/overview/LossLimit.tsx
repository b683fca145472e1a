import { EditOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import type { AccountState } from '#contract/account';
import { Amount } from '@/components/Amount';
import { late } from '@/components/late';
import styles from './index.module.css';

const LossLimitDialog = late(() => import('./LossLimitDialog'));

interface LossLimitProps {
  account: Pick<AccountState, 'dailyLossLimit' | 'paused' | 'today'>;
  onSaved: () => void;
}

/** The dialog that changes the limit, and what opens it. */
export function useLossLimit({ account, onSaved }: LossLimitProps): { dialog: ReactNode; edit: () => void } {
  const [editing, setEditing] = useState(false);
  const saved = () => {
    setEditing(false);
    onSaved();
  };
  const dialog = editing && (
    <Suspense fallback={null}>
      <LossLimitDialog account={account} onSaved={saved} onClose={() => setEditing(false)} />
    </Suspense>
  );
  return { dialog, edit: () => setEditing(true) };
}

/** What the whole account may lose on a day, and the way to change it. */
export function LossLimit({ account, onSaved }: LossLimitProps) {
  const { dialog, edit } = useLossLimit({ account, onSaved });
  const { dailyLossLimit } = account;
  return (
    <div className={styles.profile}>
      <span>
        账户单日最大亏损：
        <strong>{dailyLossLimit === null ? '未设' : <Amount value={dailyLossLimit} unit="USDT" />}</strong>
      </span>
      <Button size="small" icon={<EditOutlined />} onClick={edit}>
        修改账户上限
      </Button>
      {dialog}
    </div>
  );
}
