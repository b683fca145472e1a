import { EditOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Suspense, useState } from 'react';
import type { AccountState } from '#contract/account';
import { clockWords } from '@/components/clockWords';
import { late } from '@/components/late';
import styles from './index.module.css';

const DayBoundaryDialog = late(() => import('./DayBoundaryDialog'));

interface DayBoundaryProps {
  account: Pick<AccountState, 'dayBoundary' | 'day'>;
  onSaved: () => void;
}

/** When the account's days begin, and the way to change it. */
export function DayBoundary({ account: { dayBoundary, day }, onSaved }: DayBoundaryProps) {
  const [editing, setEditing] = useState(false);
  const saved = () => {
    setEditing(false);
    onSaved();
  };
  return (
    <div className={styles.profile}>
      <span>
        当日开始：<strong className="figure">{clockWords(dayBoundary)}</strong>
      </span>
      <Button size="small" icon={<EditOutlined />} onClick={() => setEditing(true)}>
        修改当日开始
      </Button>
      {editing && (
        <Suspense fallback={null}>
          <DayBoundaryDialog current={dayBoundary} day={day} onSaved={saved} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </div>
  );
}
