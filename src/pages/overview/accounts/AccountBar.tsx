import { PlusOutlined, SwapOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { Suspense, useState } from 'react';
import type { VenueAccount } from '#contract/venueAccount';
import { late } from '@/components/late';
import { useVenues } from '@/services/useVenues';
import styles from '../index.module.css';

const OpenDialog = late(() => import('./OpenDialog'));
const TransferDialog = late(() => import('./TransferDialog'));

interface AccountBarProps {
  accounts: readonly VenueAccount[];
  /** Id of the one that is looked at; empty for all. */
  chosen: string;
  onChoose: (id: string) => void;
  /** Something was opened or moved. */
  refresh: () => void;
}

/** Which of the caller's accounts is looked at, where there are several; and the ways to another one and between them. */
export function AccountBar({ accounts, chosen, onChoose, refresh }: AccountBarProps) {
  const [dialog, setDialog] = useState<'open' | 'transfer'>();
  const several = accounts.length > 1;
  const venues = useVenues().filter((venue) => accounts.every((account) => account.venue !== venue));
  const options = [
    { value: '', label: '全部' },
    ...accounts.map(({ id, name, mode }) => ({ value: id, label: mode === 'live' ? `${name}（实盘）` : name })),
  ];
  const close = () => setDialog(undefined);
  const done = () => {
    close();
    refresh();
  };
  return (
    <div className={styles.accountBar}>
      {several && <Segmented aria-label="账户" options={options} value={chosen} onChange={onChoose} />}
      {venues.length > 0 && (
        <Button size="small" type="text" icon={<PlusOutlined />} onClick={() => setDialog('open')}>
          开户
        </Button>
      )}
      {several && (
        <Button size="small" icon={<SwapOutlined />} onClick={() => setDialog('transfer')}>
          划转
        </Button>
      )}
      <Suspense fallback={null}>
        {dialog === 'open' && <OpenDialog venues={venues} onOpened={done} onClose={close} />}
        {dialog === 'transfer' && <TransferDialog accounts={accounts} from={chosen} onMoved={done} onClose={close} />}
      </Suspense>
    </div>
  );
}
