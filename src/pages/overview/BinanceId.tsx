import { EditOutlined } from '@ant-design/icons';
import { useModel } from '@umijs/max';
import { Button, Card } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { late } from '@/components/late';
import styles from './index.module.css';

const BinanceIdDialog = late(() => import('@/profile/BinanceIdDialog'));

/** The caller's own exchange account id, and the way to change it; below it what else is set of the account. */
export function BinanceId({ children }: { children?: ReactNode }) {
  const { initialState, setInitialState } = useModel('@@initialState');
  const [editing, setEditing] = useState(false);
  const user = initialState?.user;
  if (!user) return null;
  const saved = (binanceId: string) => {
    setEditing(false);
    void setInitialState({ ...initialState, user: { ...user, binanceId } });
  };
  return (
    <Card size="small" title="我的账户">
      <div className={styles.profile}>
        <span>
          币安 UID：<strong className="figure">{user.binanceId ?? '未绑定'}</strong>
        </span>
        <Button size="small" icon={<EditOutlined />} onClick={() => setEditing(true)}>
          {user.binanceId === null ? '绑定' : '修改'}
        </Button>
      </div>
      {children}
      {editing && (
        <Suspense fallback={null}>
          <BinanceIdDialog current={user.binanceId} onSaved={saved} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Card>
  );
}
