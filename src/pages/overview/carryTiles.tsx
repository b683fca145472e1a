import type { AccountState } from '#contract/account';
import { Amount } from '@/components/Amount';
import { Bps, inBps } from '@/components/Bps';
import { Countdown } from '@/components/Countdown';
import { Pnl } from '@/components/Pnl';
import type { AccountTile } from './accountTile';
import { venueReason } from './reasons';

const received = (label: string, value: string): AccountTile => ({
  label,
  formula: '账本中已结算的资金费之和，收到为正',
  figure: <Pnl value={Number(value)} unit="USDT" />,
});

/** What holding the positions brings, and what trading them costs. */
export function carryTiles(account: AccountState): AccountTile[] {
  const { next, funding1d, funding7d, funding30d, fees30d, traded30d, fee } = account.carry;
  const flat = account.positions?.length === 0;
  const reason = venueReason(account, flat ? '没有持仓' : '该数据源没有资金费');
  return [
    {
      label: '下次资金费',
      formula: 'Σ −方向 × 数量 × 标记价 × 费率（F2），最近一次结算的持仓',
      window: next ? `${next.positions} 个持仓` : undefined,
      figure: <Pnl value={next?.amount} unit="USDT" reason={reason} />,
      detail: next && (
        <>
          距结算 <Countdown to={next.at} />
        </>
      ),
    },
    received('近 24 小时资金费', funding1d),
    received('近 7 天资金费', funding7d),
    received('近 30 天资金费', funding30d),
    {
      label: '近 30 天手续费',
      formula: '账本中的手续费之和，付出为正',
      figure: <Amount value={Number(fees30d)} unit="USDT" />,
    },
    {
      label: '手续费率',
      formula: '交易场所给出的费率：挂单 / 吃单',
      figure: (
        <>
          <Amount value={inBps(fee?.maker)} digits={1} reason={reason} /> / <Bps value={fee?.taker} reason={reason} />
        </>
      ),
      detail: (
        <>
          30 天成交 <Amount value={Number(traded30d)} unit="USDT" compact />
        </>
      ),
    },
  ];
}
