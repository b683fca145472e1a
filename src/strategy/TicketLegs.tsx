import { SECOND_MS } from '#contract/duration';
import { LEGS_ENTRY_LABEL } from '#contract/legsEntry';
import { ALONE_MS } from '#contract/lifecycle';
import type { LegsTicket, StrategyPreview } from '#contract/strategies';
import { Amount } from '@/components/Amount';
import { numberText } from '@/components/formatNumber';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import type { ListedFigure } from './FigureList';
import { ENTRY_SIDE, type LegCardProps, LegCards } from './LegCard';
import { PEG_TEXT } from './legsEntryLabels';
import styles from './strategy.module.css';

type TicketLeg = LegsTicket['legs'][number];

const WAY_LABEL: Record<TicketLeg['way'], string> = {
  takes: '市价吃单',
  rests: '挂单',
  hedges: '随成交市价对冲',
};

const NOTHING_WITHIN = '限价以内现在没有可成交的量';
const exact = (text: string, unit?: string) => <Quantity value={Number(text)} unit={unit} />;
/** What spot is counted in, and its fee is taken from. */
const coinOf = (symbol: string): string => symbol.replace(/USDT(_SPOT)?$/, '');
const isShort = ({ fillable, partQuantity }: TicketLeg) => fillable !== null && Number(fillable) < Number(partQuantity);

const takenFrom = (rests: boolean) => (rests ? '转市价限价（最差）' : '限价（最差）');

function cardOf(
  leg: TicketLeg,
  { slices, convertSeconds }: Pick<LegsTicket, 'slices' | 'convertSeconds'>,
): LegCardProps {
  const { way, quantity, partQuantity, lotSize, held, limitPrice, symbol } = leg;
  const coin = coinOf(symbol);
  const rests = way === 'rests';
  return {
    order: { ...leg, side: ENTRY_SIDE[leg.leg] },
    tag: WAY_LABEL[way],
    rests,
    names: { quantity: `数量（最小 ${lotSize}）`, fee: '吃单手续费' },
    ofQuantity: slices > 1 ? [{ label: '第一份', figure: exact(partQuantity) }] : [],
    ofPrice:
      rests && convertSeconds === null
        ? []
        : [{ label: takenFrom(rests), figure: <Price value={limitPrice} unit="USDT" /> }],
    // What the other leg does not have comes last, so that the rest stands at one height.
    more:
      held === quantity
        ? []
        : [
            { label: '币种手续费', figure: exact(String(Number(quantity) - Number(held)), coin) },
            { label: '扣除后持有', figure: exact(held, coin) },
          ],
    note: isShort(leg) && (
      <span className={styles.lacking}>▲ 限价以内现在只够 {numberText(Number(leg.fillable))}，不足的部分稍后再试</span>
    ),
  };
}

/** How the whole of it comes in, in one line. */
function planText({ legs, slices, sliceSeconds, payUpTicks, convertSeconds }: LegsTicket): string {
  const rests = legs.some(({ way }) => way === 'rests');
  const convert =
    convertSeconds === null ? '不转市价' : `${slices === 1 ? '' : '每份'}挂 ${convertSeconds} 秒未成交转市价`;
  return [
    rests ? `${LEGS_ENTRY_LABEL.maker}，${PEG_TEXT}，${convert}` : LEGS_ENTRY_LABEL.market,
    slices === 1 ? '一次进' : `分 ${slices} 份，每 ${sliceSeconds} 秒一份`,
    payUpTicks === null ? '超价只按滑点上限' : `超价 ${payUpTicks} 个最小变动价位`,
  ].join('；');
}

/** What each of two legs would be sent now, side by side, and what their own lots leave between them. */
export function TicketLegs({ ticket }: { ticket: LegsTicket }) {
  const { legs, gap, isOfTwoCoins = false } = ticket;
  const both = legs.map(({ held }) => held).reduce((one, other) => (Number(other) < Number(one) ? other : one));
  return (
    <section className={styles.ticket} aria-label="下单">
      <h3>下单（现在开仓）</h3>
      <LegCards
        legs={legs.map((leg) => cardOf(leg, ticket))}
        reason={NOTHING_WITHIN}
        more={[
          ...(isOfTwoCoins ? [] : [{ label: '两腿对上的数量', figure: exact(both) }]),
          { label: isOfTwoCoins ? '两腿名义差' : '两腿数量差', figure: <Amount value={gap} unit="USDT" /> },
        ]}
      />
      <span className="soft">{planText(ticket)}</span>
    </section>
  );
}

const AT_ONCE = { slices: 1, convertSeconds: null } as const;

/** What a ladder takes at its beginning, as one order. */
export function StartTicket({ leg }: { leg: TicketLeg }) {
  return (
    <section className={styles.ticket} aria-label="底仓">
      <h3>底仓（开始时按市价）</h3>
      <LegCards legs={[cardOf(leg, AT_ONCE)]} reason={NOTHING_WITHIN} />
    </section>
  );
}

/** What a dry run would cost, and may lose at most. @param preview absent until it is read */
export const riskFigures = (preview: StrategyPreview | undefined): ListedFigure[] => [
  {
    label: '一进一出的成本',
    figure: <Amount value={preview?.fees} unit="USDT" reason="没有完整的价格" />,
  },
  {
    label: '最坏情况',
    formula: `F32：都到止损，加价格跳过止损（所存历史里两腿最差的一小时）与单腿 ${ALONE_MS / SECOND_MS} 秒（到时退回已成交的一腿）；网格按止损价`,
    figure: <Amount value={preview?.worst == null ? null : -preview.worst} unit="USDT" reason="没有设止损" />,
  },
];
