import type { ReactNode } from 'react';
import type { SymbolDetail } from '#contract/symbol';
import { Amount } from '@/components/Amount';
import { Countdown } from '@/components/Countdown';
import { DateTime } from '@/components/DateTime';
import { DirectionTag } from '@/components/DirectionTag';
import { Explained } from '@/components/Explained';
import { Missing } from '@/components/Missing';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import styles from './index.module.css';

interface Figure {
  label: ReactNode;
  value: ReactNode;
  key: string;
}

const text = (value: string | number | null, reason: string, unit = '') =>
  value === null ? <Missing reason={reason} /> : <span className="figure">{`${value}${unit}`}</span>;

/** Why a figure is not there: imported candles bring nothing but candles. */
const reasonOf = ({ kind }: SymbolDetail): string =>
  kind === 'imported' ? '导入的数据没有这一项' : '该币种没有提供这一项';

function marketFigures(detail: SymbolDetail, reason: string): Figure[] {
  const premium = <Explained formula="标记价 / 指数价 − 1（F3）">溢价</Explained>;
  return [
    { key: 'high', label: '24h 最高', value: <Price value={detail.high24h} reason={reason} /> },
    { key: 'low', label: '24h 最低', value: <Price value={detail.low24h} reason={reason} /> },
    {
      key: 'volume',
      label: '24h 成交量',
      value: <Amount value={detail.volume24h} unit={detail.base} compact reason={reason} />,
    },
    {
      key: 'turnover',
      label: '24h 成交额',
      value: <Amount value={detail.turnover24h} unit="USDT" compact reason={reason} />,
    },
    { key: 'mark', label: '标记价', value: <Price value={detail.mark} reason={reason} /> },
    { key: 'index', label: '指数价', value: <Price value={detail.index} reason={reason} /> },
    { key: 'premium', label: premium, value: <Percent value={detail.premium} digits={4} signed reason={reason} /> },
    ...(detail.premiumChange24h === null
      ? []
      : [
          {
            key: 'premiumChange',
            label: '溢价 24h',
            value: <Percent value={detail.premiumChange24h} digits={4} signed />,
          },
        ]),
    {
      key: 'interest',
      label: '持仓量',
      value: <Amount value={detail.openInterest} unit="USDT" compact reason={reason} />,
    },
    {
      key: 'interestChange',
      label: '持仓量 24h',
      value: <Pnl value={detail.openInterestChange24h} percent reason={reason} />,
    },
    { key: 'ratio', label: '多空比', value: <Amount value={detail.longShortRatio} reason={reason} /> },
  ];
}

function fundingFigures(detail: SymbolDetail, reason: string): Figure[] {
  const apr = (
    <Explained formula="费率 × 8760 / 结算间隔（F1）" window="本期费率">
      资金费年化
    </Explained>
  );
  return [
    {
      key: 'rate',
      label: '本期资金费',
      value: <Percent value={detail.fundingRate} digits={4} signed reason={reason} />,
    },
    { key: 'countdown', label: '距结算', value: <Countdown to={detail.nextFundingAt} reason={reason} /> },
    ...(detail.borrowRate === null
      ? []
      : [
          {
            key: 'borrow',
            label: <Explained text="借入现货的日利率，没有等级优惠">借币日利率</Explained>,
            value: <Percent value={detail.borrowRate} digits={4} />,
          },
        ]),
    { key: 'hours', label: '结算间隔', value: text(detail.fundingHours, reason, ' 小时') },
    { key: 'apr', label: apr, value: <Percent value={detail.fundingApr} signed reason={reason} /> },
  ];
}

function contractFigures(detail: SymbolDetail, reason: string): Figure[] {
  const unranked = '历史不足 31 天或已停更，不参与排名';
  const rank = detail.rank === null ? null : `${detail.rank} / ${detail.ranked}`;
  return [
    { key: 'tick', label: '价格步长', value: text(detail.tickSize, reason) },
    { key: 'lot', label: '数量步长', value: text(detail.lotSize, reason) },
    { key: 'notional', label: '最小名义', value: text(detail.minNotional, reason, ' USDT') },
    { key: 'leverage', label: '最大杠杆', value: text(detail.maxLeverage, reason, ' 倍') },
    { key: 'listed', label: '上市时间', value: <DateTime value={detail.listedAt} precision="day" utc /> },
    { key: 'rank', label: '选币排名', value: text(rank, unranked) },
    { key: 'score', label: '综合分', value: <Amount value={detail.score} signed reason={unranked} /> },
    {
      key: 'suggestion',
      label: '方向建议',
      value: detail.suggestion ? <DirectionTag direction={detail.suggestion} /> : <Missing reason={unranked} />,
    },
  ];
}

/** The coin's figures as label and value; what is missing says why. */
export function HeaderFigures({ detail }: { detail: SymbolDetail }) {
  const reason = reasonOf(detail);
  const figures = [
    ...marketFigures(detail, reason),
    ...fundingFigures(detail, reason),
    ...contractFigures(detail, reason),
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
