import type { EvaluateRow, FactorScore } from '#contract/evaluate';
import { formatNumber } from '@/components/formatNumber';
import { Percent } from '@/components/Percent';
import { FACTOR_LABEL } from './directionLabel';
import styles from './ScoreBars.module.css';

/** The largest contribution there can be, 0.35 x 3, fills half the track. */
const FULL = 1.05;

/** Where a score comes from: each factor's value, z, weight, place among all coins, and what it adds. */
export function ScoreBars({ row }: { row: EvaluateRow }) {
  return (
    <div className={styles.scores}>
      <table aria-label={`${row.symbol} 综合分的构成`}>
        <thead>
          <tr>
            {['因子', '数值', 'z（截断 ±3）', '权重', '分位', '贡献'].map((title) => (
              <th key={title}>{title}</th>
            ))}
            <th aria-label="贡献条" />
          </tr>
        </thead>
        <tbody>
          {row.factors.map((score) => (
            <FactorLine key={score.factor} score={score} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th colSpan={5}>综合分 = 各因子贡献之和；缺失的因子计 0</th>
            <td>{formatNumber(row.score, { digits: 3, signed: true })}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function FactorLine({ score }: { score: FactorScore }) {
  const { factor, value, z, weight, contribution, percentile, missing } = score;
  const share = `${Math.min(50, (Math.abs(contribution) / FULL) * 50)}%`;
  const bar = contribution < 0 ? { right: '50%', width: share } : { left: '50%', width: share };
  return (
    <tr>
      <th>{FACTOR_LABEL[factor]}</th>
      {missing ? (
        <td className="missing">缺失</td>
      ) : (
        <td>
          <Percent signed value={value} />
        </td>
      )}
      <td>{z === null ? <span className="missing">缺失</span> : formatNumber(z, { digits: 2, signed: true })}</td>
      <td>{formatNumber(weight * 100, { digits: 0, signed: true })}%</td>
      <td>{percentile === null ? <span className="missing">缺失</span> : <Percent digits={0} value={percentile} />}</td>
      <td>{missing ? '0' : formatNumber(contribution, { digits: 3, signed: true })}</td>
      <td className={styles.track}>
        <span className={contribution < 0 ? styles.minus : styles.plus} style={bar} />
      </td>
    </tr>
  );
}
