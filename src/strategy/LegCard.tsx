import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { type Leg, ORDER_SIDE_LABEL } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { Bps } from '@/components/Bps';
import { Missing } from '@/components/Missing';
import { Price } from '@/components/Price';
import { venueLabel } from '@/scan/venueLabel';
import { FigureList, type ListedFigure } from './FigureList';
import styles from './strategy.module.css';

const SLIPPAGE = '均价相对中间价（F9）；负数为没有付点差';

/** What an order of a leg is worth and costs, USDT. */
interface LegCosts {
  notional: number | null;
  fee: number | null;
  slippage: number | null;
}

interface LegOrder extends LegCosts {
  leg: Leg;
  side: keyof typeof ORDER_SIDE_LABEL;
  source: string;
  symbol: string;
  /** Coins, an exact decimal without a sign. */
  quantity: string;
  /** USDT. */
  price: number | null;
}

/** Which way a leg is entered. */
export const ENTRY_SIDE = { long: 'buy', short: 'sell' } as const satisfies Record<Leg, LegOrder['side']>;

export interface LegCardProps {
  order: LegOrder;
  /** How it goes, or what for. */
  tag: string;
  /** It is not taken from the book at once. */
  rests?: boolean;
  /** Why this one has no price. */
  reason?: string | null;
  names?: { quantity?: string; fee?: string };
  feeFormula?: string;
  ofQuantity?: readonly ListedFigure[];
  ofPrice?: readonly ListedFigure[];
  more?: readonly ListedFigure[];
  note?: ReactNode;
}

/** A cost in USDT, and beside it how much of the notional it is. */
function Cost({ value, notional, reason }: { value: number | null; notional: number | null; reason?: string }) {
  if (value === null) return <Missing reason={reason} />;
  return (
    <>
      <Amount value={value} unit="USDT" />{' '}
      <span className="soft">
        <Bps value={notional ? value / notional : null} />
      </span>
    </>
  );
}

const costFigures = (
  { notional, fee, slippage }: LegCosts,
  reason: string | undefined,
  { name = '手续费', formula }: { name?: string; formula?: string } = {},
): ListedFigure[] => [
  { label: '名义', figure: <Amount value={notional} unit="USDT" reason={reason} /> },
  { label: name, ...(formula !== undefined && { formula }), figure: <Cost value={fee} {...{ notional, reason }} /> },
  { label: '滑点', formula: SLIPPAGE, figure: <Cost value={slippage} {...{ notional, reason }} /> },
];

/** As it lies on its lot. */
const decimalsOf = (quantity: string): number => quantity.split('.')[1]?.length ?? 0;

function LegCard({ order, tag, rests = false, reason, names = {}, feeFormula, note, ...figures }: LegCardProps) {
  const { side, source, symbol, quantity, price } = order;
  const { ofQuantity = [], ofPrice = [], more = [] } = figures;
  const why = reason ?? undefined;
  return (
    <section className={styles.leg} aria-label={`${ORDER_SIDE_LABEL[side]} ${symbol}`}>
      <header className={styles.legHead}>
        <strong className={side === 'buy' ? 'up' : 'down'}>{ORDER_SIDE_LABEL[side]}</strong>
        <strong>{symbol}</strong>
        <span className="soft">{venueLabel(source)}</span>
        <Tag>{tag}</Tag>
      </header>
      <FigureList
        figures={[
          {
            label: names.quantity ?? '数量',
            figure: <Amount value={Number(quantity)} digits={decimalsOf(quantity)} />,
          },
          ...ofQuantity,
          { label: rests ? '挂单价' : '预计均价', figure: <Price value={price} unit="USDT" reason={why} /> },
          ...ofPrice,
          ...costFigures(order, why, { name: rests ? '挂单手续费' : names.fee, formula: feeFormula }),
          ...more,
        ]}
      />
      {note}
    </section>
  );
}

/** `null` as soon as one part is unknown. */
const total = (parts: readonly (number | null)[]): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);

interface LegCardsProps {
  legs: readonly LegCardProps[];
  /** Why there is no price. */
  reason: string;
  /** What else there is to say of them as one. */
  more?: readonly ListedFigure[];
}

/** What is sent for each leg and what it costs, side by side and in one order wherever something is tried before it is done, and both together. */
export function LegCards({ legs, reason, more = [] }: LegCardsProps) {
  const of = (key: keyof LegCosts) => total(legs.map(({ order }) => order[key]));
  const sums = { notional: of('notional'), fee: of('fee'), slippage: of('slippage') };
  return (
    <>
      <div className={styles.legs}>
        {legs.map((leg) => (
          <LegCard key={leg.order.leg} {...leg} reason={leg.reason ?? reason} />
        ))}
      </div>
      <FigureList label={legs.length > 1 ? '两腿合计' : '合计'} figures={[...costFigures(sums, reason), ...more]} />
    </>
  );
}
