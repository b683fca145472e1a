import { Link } from '@umijs/max';
import type { HedgeRow } from '#contract/hedge';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { HEDGE_STATE_LABEL } from '@/components/labels';
import type { Column } from '@/table/column';
import { changeColumn, gainColumn, moneyColumn, numberColumn, timeColumn, wordColumn } from '@/table/columns';

const NO_PRICE = '没有标记价';

const pairOf = ({ long, short }: HedgeRow): string => `${long} / ${short}`;

export const RUNNING_COLUMNS: Column<HedgeRow>[] = [
  wordColumn<HedgeRow>('long', '多 / 空', 190, pairOf, {
    fixed: 'left',
    render: (row) => <Link to={`/strategy/hedge?id=${encodeURIComponent(row.id)}`}>{pairOf(row)}</Link>,
  }),
  wordColumn<HedgeRow>('user', '用户', 92, ({ user }) => user),
  wordColumn<HedgeRow>('state', '状态', 112, ({ state }) => HEDGE_STATE_LABEL[state], {
    render: (row) => <HedgeStateTag {...row} />,
  }),
  moneyColumn<HedgeRow>('notional', '名义', { explain: { text: '两边开仓名义之和，USDT' } }),
  numberColumn<HedgeRow>('z', 'z 现', { signed: true, digits: 2, reason: '没有足够的共同 K 线' }),
  gainColumn<HedgeRow>('funding', '资金费', { explain: { text: 'USDT，收到为正' } }),
  gainColumn<HedgeRow>('net', '净盈亏', {
    reason: NO_PRICE,
    explain: { formula: '价格盈亏 + 资金费 − 手续费（F11），USDT' },
  }),
  changeColumn<HedgeRow>('netReturn', '收益率', {
    reason: NO_PRICE,
    explain: { formula: '净盈亏 / 两边开仓名义之和' },
  }),
  numberColumn<HedgeRow>('heldHours', '持有 h', { digits: 1, reason: '还没有开仓' }),
  timeColumn<HedgeRow>('openedAt', '开仓', { reason: '还没有开仓' }),
];
