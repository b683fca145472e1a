import { Card } from 'antd';
import { lazy } from 'react';
import type { AccountState } from '#contract/account';
import { formatDateTime } from '@/components/DateTime';
import { FigureTiles } from '@/components/FigureTiles';
import { LateCard } from '@/components/LateCard';
import { BinanceId } from './BinanceId';
import { carryTiles } from './carryTiles';
import { DayBoundary } from './DayBoundary';
import { moneyTiles } from './moneyTiles';
import { riskTiles } from './riskTiles';

const EquityCard = lazy(() => import('./EquityCard'));
const DailyCard = lazy(() => import('./DailyCard'));
const PositionsCard = lazy(() => import('./PositionsCard'));
const BalancesCard = lazy(() => import('./BalancesCard'));

/** Heights of what is not loaded yet, px. */
const HEIGHT = { equity: 510, positions: 320, daily: 720, balances: 140 };

interface AccountPanelsProps {
  account: AccountState;
  /** When the figures were computed, UTC ms. */
  at: number;
  /** Reads the account again. */
  refresh: () => void;
}

const STRIPS = [
  { title: '账户', tilesOf: moneyTiles },
  { title: '风险', tilesOf: riskTiles },
  { title: '资金费与成本', tilesOf: carryTiles },
] as const;

/** Everything below the head; what lies below the fold is loaded when it comes near. */
export function AccountPanels({ account, at, refresh }: AccountPanelsProps) {
  const inputAt = `${formatDateTime(at, 'second')}，价格 ${
    account.priceAt === null ? '没有用到' : formatDateTime(account.priceAt, 'second')
  }`;
  return (
    <>
      {STRIPS.map(({ title, tilesOf }) => (
        <Card key={title} size="small" title={title}>
          <FigureTiles label={title} tiles={tilesOf(account)} inputAt={inputAt} />
        </Card>
      ))}
      <LateCard height={HEIGHT.equity}>
        <EquityCard />
      </LateCard>
      {/* The table's code is large: it waits until there is a row of it to be seen. */}
      <LateCard height={HEIGHT.positions} ahead={0}>
        <PositionsCard positions={account.positions} />
      </LateCard>
      <LateCard height={HEIGHT.daily}>
        <DailyCard />
      </LateCard>
      <LateCard height={HEIGHT.balances}>
        <BalancesCard balances={account.balances} failed={account.venue === 'failed'} />
      </LateCard>
      <BinanceId>
        <DayBoundary account={account} onSaved={refresh} />
      </BinanceId>
    </>
  );
}
