import { Link } from '@umijs/max';
import { Button, Tag, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { AccountPosition, NO_DEAL, NO_MARK, type PositionBadge } from '#contract/account';
import { ActionMenu } from '@/components/ActionMenu';
import { Amount } from '@/components/Amount';
import { formatNumber } from '@/components/formatNumber';
import { LiquidationDistance } from '@/components/LiquidationDistance';
import { symbolsText } from '@/components/labels';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import { dealPath } from '@/strategy/dealPath';
import type { Column } from '@/table/column';
import { columnsCard } from '@/table/RowCard';
import { type OwnColumn, schemaColumns } from '@/table/schemaColumns';
import { type AccountNames, accountColumn } from './accounts/accountNames';
import styles from './index.module.css';

const BADGES: Record<PositionBadge, { label: string; text: string; color: string }> = {
  oneLeg: { label: '裸腿', text: '所属交易单只有一边有持仓', color: 'error' },
  orphan: { label: '外部持仓', text: '没有交易单解释：手动、其他程序或交易所造成', color: 'error' },
  stock: { label: '策略库存', text: '策略买入后留着的币，计入该策略的盈亏与敞口', color: 'default' },
  crumb: { label: '零头', text: '不到交易场所收的最小一笔，卖不出去，留在账户里', color: 'default' },
  ignored: { label: '已忽略', text: '没有交易单解释，已由你忽略；数量变了会再提醒', color: 'default' },
  missing: { label: '账实不符', text: '交易单记有持仓，交易场所没有或不足', color: 'error' },
  unbalanced: { label: '不平衡', text: '所属交易单偏离目标配比，超过再平衡阈值', color: 'warning' },
};

/** Whether it is more than deals explain. */
export const isOutside = ({ badges }: AccountPosition): boolean =>
  badges.includes('orphan') || badges.includes('ignored');

/** Those that are of what deals and venue differ by. */
const GAPS: readonly PositionBadge[] = ['orphan', 'crumb', 'ignored', 'missing'];

type Behind = AccountPosition['hedges'][number];

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
const sideOf = ({ side }: AccountPosition): string => (side === 'long' ? '多 ↑' : '空 ↓');
const nameOf = ({ long, short }: Behind): string => symbolsText([long, short]);
const symbolsOf = ({ long, short }: Behind): string[] => [...new Set([long, short])];

/** What is wrong with a position, in words. */
function PositionBadges({ row }: { row: AccountPosition }) {
  return row.badges.map((badge) => {
    const { label, text, color } = BADGES[badge];
    const gap = GAPS.includes(badge) ? `，差 ${row.unexplained}` : '';
    return (
      <Tooltip key={badge} title={`${text}${gap}`}>
        <Tag color={color}>{label}</Tag>
      </Tooltip>
    );
  });
}

const HedgeLink = ({ hedge, children }: { hedge: Behind; children: ReactNode }) => (
  <Link to={dealPath(hedge.kind, hedge.id)} title={`${nameOf(hedge)} · ${hedge.strategy}`}>
    {children}
  </Link>
);

/** The deals behind a position, as links: the first one, and the others in a menu, so that all rows are as high. */
function HedgeLinks({ hedges }: Pick<AccountPosition, 'hedges'>) {
  const [first, ...others] = hedges;
  if (!first) return <Missing reason={NO_DEAL} />;
  const items = others.map((hedge) => ({
    key: `${hedge.id} ${hedge.leg}`,
    label: <HedgeLink hedge={hedge}>{nameOf(hedge)}</HedgeLink>,
  }));
  const symbols = symbolsOf(first);
  return (
    <span className={styles.legs}>
      <HedgeLink hedge={first}>
        {symbols.map((symbol, i) => (
          <span key={symbol} className="one-line">
            {symbol}
            {i < symbols.length - 1 && ' / '}
          </span>
        ))}
      </HedgeLink>{' '}
      {others.length > 0 && (
        <ActionMenu menu={{ items }}>
          <Button size="small" type="link" aria-label={`另外 ${others.length} 张交易单`}>
            +{others.length}
          </Button>
        </ActionMenu>
      )}
    </span>
  );
}

const OWN: OwnColumn<AccountPosition>[] = [
  {
    key: 'symbol',
    fixed: 'left',
    render: (row) => (
      <>
        <Link
          className={styles.symbol}
          to={`/indicator/symbol/detail/${encodeURIComponent(row.symbol)}?source=${row.source}`}
        >
          {row.symbol}
        </Link>{' '}
        <PositionBadges row={row} />
      </>
    ),
  },
  { key: 'quantity', render: ({ quantity }) => <Quantity value={Number(quantity)} /> },
  { key: 'side', render: (row) => <Tag>{sideOf(row)}</Tag> },
  {
    key: 'entryPrice',
    render: ({ entryPrice, hedges }) => (
      <Price value={numberOf(entryPrice)} reason={hedges.length === 0 ? NO_DEAL : '多张交易单方向相反'} />
    ),
  },
  {
    key: 'liquidationDistance',
    render: ({ liquidationDistance }) => <LiquidationDistance value={liquidationDistance} reason="没有强平价" />,
  },
  { key: 'leverage', render: ({ leverage }) => <Amount value={leverage} digits={0} unit="倍" reason={NO_DEAL} /> },
  {
    key: 'unrealised',
    render: ({ unrealised, roe, hedges }) => {
      const reason = hedges.length === 0 ? NO_DEAL : NO_MARK;
      if (unrealised === null) return <Missing reason={reason} />;
      return (
        <>
          <Pnl value={numberOf(unrealised)} reason={reason} />
          {roe !== null && (
            <div>
              <Pnl value={roe} percent reason={reason} />
            </div>
          )}
        </>
      );
    },
  },
  {
    key: 'funding',
    render: (row) => (
      <>
        <Pnl value={numberOf(row.funding)} reason={NO_DEAL} />
        {row.hedges.length > 0 && isOutside(row) && <div className="basis">仅交易单部分</div>}
      </>
    ),
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

const dealColumn = (actions: (row: AccountPosition) => ReactNode): OwnColumn<AccountPosition> => ({
  key: 'hedges',
  title: '所属交易单',
  width: 150,
  // Where something may be done it is seen without moving the table.
  fixed: 'right',
  sort: 'ascend',
  // What may be done says as much as that there is none.
  render: (row) => (
    <>
      {(row.hedges.length > 0 || !isOutside(row)) && <HedgeLinks hedges={row.hedges} />}
      {actions(row)}
    </>
  ),
  csv: ({ hedges }) => hedges.map(nameOf).join('; '),
});

/**
 * Columns of the positions; the CSV has them as they are shown.
 * @param actions what may be done about a row, beside its deals
 */
export const positionColumns = (
  accounts: AccountNames,
  actions: (row: AccountPosition) => ReactNode,
): Column<AccountPosition>[] =>
  schemaColumns(AccountPosition, {
    deciding: ['symbol', 'account', 'side', 'notional', 'unrealised', 'liquidationDistance'],
    widths: {
      ...{ symbol: 152, side: 64, quantity: 90, notional: 98, entryPrice: 98, markPrice: 92, liquidationPrice: 92 },
      ...{ liquidationDistance: 98, leverage: 70, unrealised: 112, funding: 110 },
    },
    own: [...OWN, dealColumn(actions), ...accountColumn<AccountPosition>(accounts)],
  });

/** A position on a phone. */
export const positionCard = (columns: readonly Column<AccountPosition>[]) =>
  columnsCard(columns, {
    label: positionName,
    head: ['symbol', 'side'],
    end: [],
    figures: columns.filter(({ key, spare }) => !spare && key !== 'symbol' && key !== 'side').map(({ key }) => key),
    wide: ['hedges'],
    across: 3,
  });

/** Says a position in words for those who cannot see a row of figures. */
export const positionName = (row: AccountPosition): string =>
  `${row.symbol} ${sideOf(row)} ${formatNumber(Math.abs(Number(row.quantity)), { digits: 4 })}`;
