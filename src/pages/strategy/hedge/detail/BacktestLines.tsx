import type { ReactNode } from 'react';
import type { HedgeBacktest } from '#contract/backtest';
import { Amount } from '@/components/Amount';
import { Explained } from '@/components/Explained';
import { NOT_COMPARED_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { useNarrow } from '@/components/useNarrow';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, RowCard } from '@/table/RowCard';
import styles from '../index.module.css';

interface Line {
  key: keyof HedgeBacktest['rows'];
  label: string;
  text: string;
  show: (value: number | null, reason: string) => ReactNode;
}

const gain: Line['show'] = (value, reason) => <Pnl value={value} reason={reason} />;
const cost: Line['show'] = (value, reason) => <Amount value={value} reason={reason} />;

const LINES: Line[] = [
  { key: 'net', label: '净盈亏', text: '多头 + 空头 + 资金费 − 手续费（F11）；回测另加穿仓', show: gain },
  {
    key: 'netReturn',
    label: '收益率（按名义）',
    text: '净盈亏 / 两边开仓名义之和',
    show: (value, reason) => <Pnl percent value={value} reason={reason} />,
  },
  { key: 'longPnl', label: '多头价格盈亏', text: '含滑点', show: gain },
  { key: 'shortPnl', label: '空头价格盈亏', text: '含滑点', show: gain },
  { key: 'funding', label: '资金费', text: '收到为正', show: gain },
  { key: 'fees', label: '手续费', text: '付出为正；回测用实盘的平均费率', show: cost },
  { key: 'slippage', label: '滑点', text: '付出为正，已含在价格盈亏里；回测用实盘的平均滑点', show: cost },
  {
    key: 'heldHours',
    label: '持有',
    text: '回测为首末两个收盘之间',
    show: (value, reason) => <Amount value={value} digits={1} unit="h" reason={reason} />,
  },
  { key: 'mae', label: '最大浮亏', text: 'MAE；实盘每秒看一次，回测只看各收盘', show: gain },
  { key: 'mfe', label: '最大浮盈', text: 'MFE；实盘每秒看一次，回测只看各收盘', show: gain },
];

const SIDES = { live: '实盘', backtest: '回测', gap: '差' } as const;
const NO_MARK = '持有中而没有标记价，或还没有持有';

/** What the three columns say of a line. */
const figuresOf = ({ rows, why }: HedgeBacktest, { key, show }: Line) => {
  const none = why === null ? '没有标记价' : NOT_COMPARED_LABEL[why];
  const { live, backtest: tested, gap } = rows[key];
  return { live: show(live, NO_MARK), backtest: show(tested, none), gap: show(gap, none) };
};

const columnsOf = (data: HedgeBacktest): Column<Line>[] => [
  { key: 'label', title: 'USDT', width: 160, render: (line) => <Name line={line} /> },
  ...(['live', 'backtest', 'gap'] as const).map(
    (side): Column<Line> => ({
      key: side,
      title: SIDES[side],
      width: 116,
      figure: true,
      explain: side === 'gap' ? { text: '实盘 − 回测' } : undefined,
      render: (line) => figuresOf(data, line)[side],
    }),
  ),
];

const Name = ({ line: { label, text } }: { line: Line }) => <Explained text={text}>{label}</Explained>;

/** What a hedge and its backtest came to, in one table; on a phone a card a line, as four columns find no room there. */
export function BacktestLines({ data }: { data: HedgeBacktest }) {
  const narrow = useNarrow();
  if (!narrow) return <PlainTable label="对比回测" rowKey="key" columns={columnsOf(data)} rows={LINES} />;
  return (
    <section className={styles.stack} aria-label="对比回测">
      {LINES.map((line) => {
        const { live, backtest: tested, gap } = figuresOf(data, line);
        const figures = [
          [SIDES.live, live],
          [SIDES.backtest, tested],
          [SIDES.gap, gap],
        ] as const;
        return (
          <RowCard key={line.key} label={line.label} head={<Name line={line} />}>
            <CardFigures figures={figures} columns={3} />
          </RowCard>
        );
      })}
    </section>
  );
}
