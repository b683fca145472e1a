import { PlusOutlined, SwapOutlined } from '@ant-design/icons';
import { Segmented } from 'antd';
import { Suspense, useState } from 'react';
import { ORDER_SOURCES } from '#contract/candle';
import { service } from '#contract/service';
import { STRATEGY_MODES } from '#contract/strategy';
import type { VenueAccount } from '#contract/venueAccount';
import { late } from '@/components/late';
import { MoneyButton } from '@/components/MoneyButton';
import { textCodec, useQueryState } from '@/components/useQueryState';
import { modeLabel } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import { useVenues } from '@/services/useVenues';
import styles from '../index.module.css';
import { isOneAccount } from './whichAccount';

const OpenDialog = late(() => import('./OpenDialog'));
const OpenLiveDialog = late(() => import('./OpenLiveDialog'));
const TransferDialog = late(() => import('./TransferDialog'));

interface AccountBarProps {
  accounts: readonly VenueAccount[];
  /** Id of the one that is looked at, or of which money all are. */
  chosen: string;
  onChoose: (id: string) => void;
  /** Something was opened or moved. */
  refresh: () => void;
}

/** A link may ask for an account at a venue. */
const WANTED = { open: textCodec(), openLive: textCodec() };

const inFront = <V extends string>(venues: readonly V[], first: string): V[] => [
  ...venues.filter((venue) => venue === first),
  ...venues.filter((venue) => venue !== first),
];

/** Which of the caller's accounts is looked at, where there are several; and the ways to another one and between them. */
export function AccountBar({ accounts, chosen, onChoose, refresh }: AccountBarProps) {
  const [asked, setDialog] = useState<'open' | 'openLive' | 'transfer'>();
  const [wanted, look] = useQueryState(WANTED);
  const several = accounts.length > 1;
  const all = useVenues();
  const isLive = (useCall(service.environment, {}).data?.trading ?? 'paper') !== 'paper';
  const lacks = (mode: VenueAccount['mode']) => (venue: string) =>
    accounts.every((account) => account.venue !== venue || account.mode !== mode);
  const venues = all.filter(lacks('paper'));
  const real = isLive ? ORDER_SOURCES.filter((venue) => all.includes(venue)).filter(lacks('live')) : [];
  const wantedReal = real.filter((venue) => venue === wanted.openLive);
  const isWanted = venues.some((venue) => venue === wanted.open);
  const dialog = isWanted ? 'open' : wantedReal.length > 0 ? 'openLive' : asked;
  const hasReal = accounts.some(({ mode }) => mode === 'live');
  const options = [
    ...STRATEGY_MODES.filter((mode) => accounts.some((one) => one.mode === mode)).map((mode) => ({
      value: mode as string,
      label: hasReal ? `全部${modeLabel(mode)}` : '全部',
    })),
    ...accounts.map(({ id, name, mode }) => ({
      value: id,
      label: mode === 'live' ? `${name}（${modeLabel(mode)}）` : name,
    })),
  ];
  const close = () => {
    setDialog(undefined);
    look({ open: '', openLive: '' }, { replace: true });
  };
  const done = () => {
    close();
    refresh();
  };
  return (
    <div className={styles.accountBar}>
      {several && <Segmented aria-label="账户" options={options} value={chosen} onChange={onChoose} />}
      {venues.length > 0 && (
        <MoneyButton size="small" type="text" icon={<PlusOutlined />} onClick={() => setDialog('open')}>
          开户
        </MoneyButton>
      )}
      {real.length > 0 && (
        <MoneyButton size="small" type="text" danger icon={<PlusOutlined />} onClick={() => setDialog('openLive')}>
          开{modeLabel('live')}账户
        </MoneyButton>
      )}
      {several && (
        <MoneyButton size="small" icon={<SwapOutlined />} onClick={() => setDialog('transfer')}>
          划转
        </MoneyButton>
      )}
      <Suspense fallback={null}>
        {dialog === 'open' && <OpenDialog venues={inFront(venues, wanted.open)} onOpened={done} onClose={close} />}
        {dialog === 'openLive' && (
          <OpenLiveDialog venues={wantedReal.length > 0 ? wantedReal : real} onOpened={done} onClose={close} />
        )}
        {dialog === 'transfer' && (
          <TransferDialog
            accounts={accounts}
            from={isOneAccount(chosen) ? chosen : ''}
            onMoved={done}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  );
}
