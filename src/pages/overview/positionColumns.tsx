import { Link } from '@umijs/max';
import { Tag, Tooltip } from 'antd';
import type { AccountPosition, PositionBadge } from '#contract/account';
import { Amount } from '@/components/Amount';
import { formatNumber } from '@/components/formatNumber';
import { LiquidationDistance } from '@/components/LiquidationDistance';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { dealPath } from '@/strategy/dealPath';
import type { Column } from '@/table/column';
import type { AccountNames } from './accounts/accountNames';

const BADGES: Record<PositionBadge, { label: string; text: string; color: string }> = {
  oneLeg: { label: '裸腿', text: '所属交易单只有一边有持仓', color: 'error' },
  orphan: { label: '孤儿仓位', text: '交易场所的持仓超出交易单所记', color: 'error' },
  missing: { label: '账实不符', text: '交易单记有持仓，交易场所没有或不足', color: 'error' },
  unbalanced: { label: '不平衡', text: '所属交易单偏离目标配比，超过再平衡阈值', color: 'warning' },
};

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
const sideOf = ({ side }: AccountPosition): string => (side === 'long' ? '多 ↑' : '空 ↓');
const nameOf = ({ long, short }: AccountPosition['hedges'][number]): string => `${long} / ${short}`;

const NO_PRICE = '没有标记价';
const NO_HEDGE = '没有所属的交易单';

/** What is wrong with a position, in words. */
export function PositionBadges({ row }: { row: AccountPosition }) {
  return row.badges.map((badge) => {
    const { label, text, color } = BADGES[badge];
    const gap = badge === 'orphan' || badge === 'missing' ? `，差 ${row.unexplained}` : '';
    return (
      <Tooltip key={badge} title={`${text}${gap}`}>
        <Tag color={color}>{label}</Tag>
      </Tooltip>
    );
  });
}

/** The deals behind a position, as links. */
export function HedgeLinks({ hedges }: Pick<AccountPosition, 'hedges'>) {
  if (hedges.length === 0) return <Missing reason={NO_HEDGE} />;
  return hedges.map((hedge) => (
    <div key={`${hedge.id} ${hedge.leg}`}>
      <Link to={dealPath(hedge.kind, hedge.id)} title={hedge.strategy}>
        {nameOf(hedge)}
      </Link>
    </div>
  ));
}

/** Columns of the positions; the CSV has them as they are shown. */
const POSITION_COLUMNS: Column<AccountPosition>[] = [
  {
    key: 'symbol',
    title: '合约',
    width: 140,
    sort: 'ascend',
    fixed: 'left',
    render: (row) => (
      <>
        <Link to={`/indicator/symbol/detail/${encodeURIComponent(row.symbol)}?source=${row.source}`}>{row.symbol}</Link>{' '}
        <PositionBadges row={row} />
      </>
    ),
    csv: ({ symbol }) => symbol,
  },
  {
    key: 'side',
    title: '方向',
    width: 64,
    sort: 'ascend',
    render: (row) => <Tag>{sideOf(row)}</Tag>,
    csv: (row) => (row.side === 'long' ? '多' : '空'),
  },
  {
    key: 'quantity',
    title: '数量',
    width: 90,
    figure: true,
    sort: 'descend',
    render: ({ quantity }) => <span className="figure">{quantity}</span>,
    csv: ({ quantity }) => Number(quantity),
  },
  {
    key: 'notional',
    title: '名义价值',
    csvTitle: '名义价值 USDT',
    width: 98,
    figure: true,
    sort: 'descend',
    explain: { formula: '|数量| × 标记价，USDT' },
    render: ({ notional }) => <Amount money value={numberOf(notional)} reason={NO_PRICE} />,
    csv: ({ notional }) => numberOf(notional),
    written: { digits: 2 },
  },
  {
    key: 'entryPrice',
    title: '开仓均价',
    width: 98,
    figure: true,
    sort: 'descend',
    render: ({ entryPrice, hedges }) => (
      <Price value={numberOf(entryPrice)} reason={hedges.length === 0 ? NO_HEDGE : '多张交易单方向相反'} />
    ),
    csv: ({ entryPrice }) => numberOf(entryPrice),
    written: { digits: 'price' },
  },
  {
    key: 'markPrice',
    title: '标记价',
    width: 92,
    figure: true,
    sort: 'descend',
    render: ({ markPrice }) => <Price value={numberOf(markPrice)} reason={NO_PRICE} />,
    csv: ({ markPrice }) => numberOf(markPrice),
    written: { digits: 'price' },
  },
  {
    key: 'liquidationPrice',
    title: '强平价',
    width: 92,
    figure: true,
    sort: 'descend',
    explain: { formula: '其他价格不变，使账户保证金率到 1 的价格' },
    render: ({ liquidationPrice }) => <Price value={liquidationPrice} reason="仅该合约变动不会强平，或保证金未知" />,
    csv: ({ liquidationPrice }) => liquidationPrice,
    written: { digits: 'price' },
  },
  {
    key: 'liquidationDistance',
    title: '强平距离',
    width: 98,
    figure: true,
    sort: 'descend',
    explain: { formula: '|标记价 − 强平价| / 标记价（F23）' },
    render: ({ liquidationDistance }) => <LiquidationDistance value={liquidationDistance} reason="没有强平价" />,
    csv: ({ liquidationDistance }) => liquidationDistance,
    written: { digits: 2, percent: true },
  },
  {
    key: 'leverage',
    title: '杠杆',
    width: 70,
    figure: true,
    sort: 'descend',
    render: ({ leverage }) => <Amount value={leverage} digits={0} unit="倍" reason={NO_HEDGE} />,
    csv: ({ leverage }) => leverage,
    written: { digits: 0 },
  },
  {
    key: 'unrealised',
    title: '未实现盈亏',
    csvTitle: '未实现盈亏 USDT',
    width: 112,
    figure: true,
    sort: 'descend',
    explain: { formula: '数量 × 标记价 − 成本，USDT；ROE = 盈亏 / (成本 / 杠杆)' },
    render: ({ unrealised, roe, hedges }) => {
      const reason = hedges.length === 0 ? NO_HEDGE : NO_PRICE;
      return (
        <>
          <Pnl value={numberOf(unrealised)} reason={reason} />
          <div>
            <Pnl value={roe} percent reason={reason} />
          </div>
        </>
      );
    },
    csv: ({ unrealised }) => numberOf(unrealised),
    written: { digits: 2 },
  },
  {
    key: 'roe',
    title: 'ROE',
    width: 0,
    spare: true,
    render: () => null,
    csv: ({ roe }) => roe,
    written: { digits: 2, percent: true },
  },
  {
    key: 'funding',
    title: '累计资金费',
    csvTitle: '累计资金费 USDT',
    width: 110,
    figure: true,
    sort: 'descend',
    explain: { text: '所属交易单在此合约上已结算的资金费，USDT，收到为正' },
    render: ({ funding }) => <Pnl value={Number(funding)} />,
    csv: ({ funding }) => Number(funding),
    written: { digits: 2 },
  },
  {
    key: 'hedges',
    title: '所属交易单',
    width: 110,
    sort: 'ascend',
    render: (row) => <HedgeLinks hedges={row.hedges} />,
    csv: ({ hedges }) => hedges.map(nameOf).join('; '),
  },
  {
    key: 'badges',
    title: '异常',
    width: 0,
    spare: true,
    render: () => null,
    csv: ({ badges, unexplained }) =>
      badges.map((badge) => BADGES[badge].label).join('; ') + (Number(unexplained) === 0 ? '' : ` (${unexplained})`),
  },
];

/** The same, and whose position it is where there are several accounts. */
export function positionColumns(accounts: AccountNames): Column<AccountPosition>[] {
  if (accounts === null) return POSITION_COLUMNS;
  const [symbol, ...rest] = POSITION_COLUMNS;
  const account: Column<AccountPosition> = {
    key: 'account',
    title: '账户',
    width: 96,
    sort: 'ascend',
    render: ({ accountId }) => accounts.get(accountId),
    csv: ({ accountId }) => accounts.get(accountId) ?? null,
  };
  return [symbol!, account, ...rest];
}

/** Says a position in words for those who cannot see a row of figures. */
export const positionName = (row: AccountPosition): string =>
  `${row.symbol} ${sideOf(row)} ${formatNumber(Math.abs(Number(row.quantity)), { digits: 4 })}`;
