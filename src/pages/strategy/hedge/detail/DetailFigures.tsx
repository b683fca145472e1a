import type { ReactNode } from 'react';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { CLOSE_REASON_LABEL, HELD_BRIEFLY } from '@/components/labels';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { zBasis } from '@/components/zBasis';
import { HedgeLimits } from '../HedgeLimits';
import desk from '../index.module.css';
import styles from './detail.module.css';

const NO_MARK = '持有中而没有标记价';
const SHORT_HISTORY = '共同历史不足';

/** Null where there is nothing that the figure could be of: it is not drawn then. */
type Figure = [label: string, figure: (row: HedgeRow) => ReactNode];

const isFlat = ({ state, longQuantity, shortQuantity }: HedgeRow): boolean =>
  HEDGE_ENDS.includes(state) || (Number(longQuantity) === 0 && Number(shortQuantity) === 0);

const FIGURES: Figure[] = [
  ['净盈亏', ({ net }) => <Pnl value={net} unit="USDT" reason={NO_MARK} />],
  ['收益率（按名义）', ({ netReturn }) => <Pnl percent value={netReturn} reason={NO_MARK} />],
  ['收益率（按保证金）', ({ marginReturn }) => <Pnl percent value={marginReturn} reason={NO_MARK} />],
  ['距止损 / 止盈 / 到期', (row) => <HedgeLimits row={row} />],
  ['年化（按保证金）', ({ annualised }) => <Pnl percent value={annualised} reason={HELD_BRIEFLY} />],
  ['多头盈亏', ({ longPnl }) => <Pnl value={longPnl} unit="USDT" reason={NO_MARK} />],
  ['空头盈亏', ({ shortPnl }) => <Pnl value={shortPnl} unit="USDT" reason={NO_MARK} />],
  ['资金费', ({ funding }) => <Pnl value={funding} unit="USDT" />],
  ['手续费', ({ fees }) => <Amount value={fees} unit="USDT" />],
  ['滑点（已含在多空盈亏里）', ({ slippage }) => <Amount value={slippage} unit="USDT" />],
  ['名义', ({ notional }) => <Amount value={notional} unit="USDT" />],
  ['数量 多', ({ longQuantity }) => <span className="figure">{longQuantity}</span>],
  ['数量 空', ({ shortQuantity }) => <span className="figure">{shortQuantity}</span>],
  ['中性度', (row) => (isFlat(row) ? null : <Percent value={row.neutrality} signed reason={NO_MARK} />)],
  ['开仓比价', ({ ratioOpen }) => <Price value={ratioOpen} reason="还没有建成" />],
  ['现比价', ({ ratioNow }) => <Price value={ratioNow} reason={NO_MARK} />],
  [
    'z 开 / 现',
    ({ zOpen, z, zBar, zBars, hedgeRatio }) => (
      <>
        <Amount value={zOpen} reason={SHORT_HISTORY} /> / <Amount value={z} reason={SHORT_HISTORY} />
        <div className="basis">{zBasis({ bars: zBars, bar: zBar, hedgeRatio })}</div>
      </>
    ),
  ],
  ['最大浮亏', ({ mae }) => <Pnl value={mae} unit="USDT" reason="还没有持有" />],
  ['最大浮盈', ({ mfe }) => <Pnl value={mfe} unit="USDT" reason="还没有持有" />],
  ['单腿敞口×时间', ({ naked }) => <Amount value={naked} digits={0} unit="USDT·s" />],
  ['开仓', ({ openedAt }) => <DateTime value={openedAt} precision="second" reason="还没有建成" />],
  ['平仓', ({ closedAt }) => <DateTime value={closedAt} precision="second" reason="还没有平仓" />],
  ['平仓原因', ({ closeReason }) => (closeReason === null ? '-' : CLOSE_REASON_LABEL[closeReason])],
  ['持有', ({ heldHours }) => <Amount value={heldHours} digits={1} unit="h" reason="还没有开仓" />],
  ['价格时间', ({ priceAt }) => <DateTime value={priceAt} precision="second" reason={NO_MARK} />],
  ['编号', ({ id }) => <span className={styles.identifier}>{id}</span>],
];

/** The figures of one hedge, all of them. */
export function DetailFigures({ row }: { row: HedgeRow }) {
  return (
    <dl className={desk.facts} aria-label="对冲单数据">
      {FIGURES.map(([label, figure]) => {
        const drawn = figure(row);
        return (
          drawn !== null && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{drawn}</dd>
            </div>
          )
        );
      })}
    </dl>
  );
}
