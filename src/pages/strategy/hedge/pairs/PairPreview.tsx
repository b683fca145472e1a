import { Alert, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { BAR_MS } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { type PairFacts, pair } from '#contract/pair';
import { Amount } from '@/components/Amount';
import { Duration } from '@/components/Duration';
import { Explained } from '@/components/Explained';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { zBasis } from '@/components/zBasis';
import { useCall } from '@/services/useCall';
import styles from '../index.module.css';

const REFRESH_MS = 5_000;

interface Fact {
  label: string;
  formula: string;
  value: (facts: PairFacts) => ReactNode;
}

const FACTS: Fact[] = [
  {
    label: '比价',
    formula: '多头现价 / 空头现价',
    value: ({ presentRatio }) => <Price value={presentRatio} reason="没有现价" />,
  },
  {
    label: 'z',
    formula: '(s − 均值) / 标准差，s = ln 多 − b ln 空，按现价',
    value: ({ presentZ }) => <Amount value={presentZ} signed reason="没有现价，或价差不动" />,
  },
  {
    label: 'b',
    formula: 'ln 多 对 ln 空 的 OLS 斜率',
    value: ({ hedgeRatio }) => <Amount value={hedgeRatio} digits={3} />,
  },
  {
    label: '相关',
    formula: '对数收益的 Pearson 相关',
    value: ({ correlation }) => <Amount value={correlation} />,
  },
  {
    label: '半衰期',
    formula: '−ln 2 / ln(1 + k)；k ≥ 0 为不回归',
    value: ({ halfLife, bar }) =>
      halfLife === null ? '不回归' : <Duration hours={(halfLife * BAR_MS[bar]) / HOUR_MS} />,
  },
  { label: 'R²', formula: '该回归的解释度', value: ({ rSquared }) => <Amount value={rSquared} /> },
  {
    label: 'ADF p',
    formula: '价差的单位根检验；越小越可能回归',
    value: ({ adfP }) => <Amount value={adfP} digits={3} />,
  },
  {
    label: '资金费差',
    formula: '空头资金费 APR − 多头资金费 APR：持有这一对每年收到的资金费',
    value: ({ fundingAprDifference }) => <Pnl percent value={fundingAprDifference} reason="该数据源没有资金费" />,
  },
];

interface PairPreviewProps {
  settings: HedgeSettings;
  long: string;
  short: string;
}

/** What is known of two coins together, over the window that the hedges use. */
export function PairPreview({ settings: { source, zBar, zWindow }, long, short }: PairPreviewProps) {
  const { data, error } = useCall(
    pair.facts,
    { query: { source, long, short, bar: zBar, bars: zWindow } },
    { refreshInterval: REFRESH_MS },
  );
  if (data === undefined && error) {
    return <Alert type="warning" showIcon title={`暂无这一对的指标：${error.message}`} />;
  }
  if (data === undefined) return <Skeleton active title={false} paragraph={{ rows: 2 }} />;
  return (
    <section aria-label="配对指标">
      <p className="soft">按对冲配置的窗口：{zBasis(data)}，z 为现价对已收盘 K 线</p>
      <dl className={styles.facts}>
        {FACTS.map(({ label, formula, value }) => (
          <div key={label}>
            <dt>
              <Explained formula={formula} window={`${data.bars} 根 ${data.bar}`}>
                {label}
              </Explained>
            </dt>
            <dd>{value(data)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
