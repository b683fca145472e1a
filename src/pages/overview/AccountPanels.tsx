import { EditOutlined } from '@ant-design/icons';
import { useModel } from '@umijs/max';
import { Button, Card } from 'antd';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import type { AccountState } from '#contract/account';
import type { DataOf } from '#contract/endpoint';
import type { venueAccount } from '#contract/venueAccount';
import { clockWords } from '@/components/clockWords';
import { formatDateTime } from '@/components/DateTime';
import { FigureTiles } from '@/components/FigureTiles';
import { LateCard } from '@/components/LateCard';
import { late } from '@/components/late';
import { usePreparing } from '@/components/usePreparing';
import { useSame } from '@/components/useSame';
import { namesOf } from './accounts/accountNames';
import { isOneAccount } from './accounts/whichAccount';
import { carryTiles } from './carryTiles';
import styles from './index.module.css';
import { LossLimit } from './LossLimit';
import { moneyTiles } from './moneyTiles';
import { riskTiles } from './riskTiles';

const FlattenReports = late(() => import('@/flatten/FlattenReports'));
const EquityCard = late(() => import('./EquityCard'));
const DailyCard = late(() => import('./DailyCard'));
const PositionsCard = late(() => import('./PositionsCard'));
const BalancesCard = late(() => import('./BalancesCard'));
const AccountsCard = late(() => import('./accounts/AccountsCard'));
const TransfersCard = late(() => import('./accounts/TransfersCard'));

/** Heights of what is not loaded yet, px. */
const HEIGHT = { equity: 399, positions: 320, daily: 720, balances: 140, accounts: 180, transfers: 240, reports: 160 };

interface AccountPanelsProps {
  account: AccountState;
  /** When the figures were computed, UTC ms. */
  at: number;
  /** All of the caller's; undefined while they are read. */
  accounts: DataOf<typeof venueAccount.list> | undefined;
  /** Which accounts are looked at, as `whichAccount` reads it. */
  chosen: string;
  onChoose: (id: string) => void;
  /** Reads the account again. */
  refresh: () => void;
}

const STRIPS = [
  { title: '盈亏', tilesOf: moneyTiles },
  { title: '风险', tilesOf: riskTiles },
  { title: '资金费与成本', tilesOf: carryTiles },
] as const;

/** Everything below the head; what lies below the fold is loaded when it comes near. */
export function AccountPanels({ account, at, accounts, chosen, onChoose, refresh }: AccountPanelsProps) {
  const missing = usePreparing();
  const several = accounts !== undefined && accounts.list.length > 1;
  const together = several && !isOneAccount(chosen);
  // Where there is only one, or one alone is looked at, nobody has to be told which.
  const names = useSame(together ? accounts.list.map(({ id, name }) => `${id} ${name}`) : []);
  const nameOf = useMemo(() => namesOf(names), [names]);
  const inputAt = `${formatDateTime(at, 'second')}，价格 ${
    account.priceAt === null ? '没有用到' : formatDateTime(account.priceAt, 'second')
  }`;
  const strips = STRIPS.map(({ title, tilesOf }) => ({ title, tiles: tilesOf(account) }));
  const first = strips.flatMap(({ tiles }) => tiles.filter((tile) => tile.first));
  return (
    <>
      <div className="stack">
        <LateCard height={HEIGHT.equity}>
          <EquityCard accountId={chosen} />
        </LateCard>
        <Card size="small" title="账户">
          <div className={styles.first}>
            <FigureTiles label="账户" tiles={first} inputAt={inputAt} missing={missing} />
          </div>
          <details>
            <summary>更多：{strips.map(({ title }) => title).join('、')}</summary>
            {strips.map(({ title, tiles }) => (
              <section key={title}>
                <h3 className={styles.strip}>{title}</h3>
                <FigureTiles
                  label={title}
                  tiles={tiles.filter((tile) => !tile.first)}
                  inputAt={inputAt}
                  missing={missing}
                />
              </section>
            ))}
          </details>
        </Card>
      </div>
      {together && (
        <LateCard height={HEIGHT.accounts}>
          <AccountsCard data={accounts} mode={account.mode} onChoose={onChoose} />
        </LateCard>
      )}
      {/* The table's code is large: it waits until there is a row of it to be seen. */}
      <LateCard height={HEIGHT.positions} ahead={0}>
        <PositionsCard positions={account.positions} nameOf={nameOf} refresh={refresh} />
      </LateCard>
      <LateCard height={HEIGHT.daily}>
        <DailyCard accountId={chosen} />
      </LateCard>
      <LateCard height={HEIGHT.balances}>
        <BalancesCard balances={account.balances} failed={account.venue === 'failed'} nameOf={nameOf} />
      </LateCard>
      {several && (
        <LateCard height={HEIGHT.transfers}>
          <TransfersCard />
        </LateCard>
      )}
      <LateCard height={HEIGHT.reports}>
        <FlattenReports />
      </LateCard>
      <BinanceId>
        <DayBoundary account={account} onSaved={refresh} />
        <LossLimit account={account} onSaved={refresh} />
      </BinanceId>
    </>
  );
}

const BinanceIdDialog = late(() => import('@/profile/BinanceIdDialog'));

/** The caller's own exchange account id, and the way to change it; below it what else is set of the account. */
function BinanceId({ children }: { children?: ReactNode }) {
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

const DayBoundaryDialog = late(() => import('./DayBoundaryDialog'));

interface DayBoundaryProps {
  account: Pick<AccountState, 'dayBoundary' | 'day'>;
  onSaved: () => void;
}

/** When the account's days begin, and the way to change it. */
function DayBoundary({ account: { dayBoundary, day }, onSaved }: DayBoundaryProps) {
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
