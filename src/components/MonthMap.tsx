import { Card } from 'antd';
import { formatNumber } from './formatNumber';
import { Heat } from './Heat';
import styles from './MonthMap.module.css';

const MONTHS = Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, '0'));
/** A month this good or bad has the full colour. */
const FULL = 0.2;

interface CellProps {
  value: number | undefined;
}

function Cell({ value }: CellProps) {
  if (value === undefined) return <td className={styles.month} />;
  return (
    <td className={styles.month}>
      <Heat value={value} full={FULL} />
      <span className={styles.monthText}>{formatNumber(value * 100, { digits: 1, signed: true })}%</span>
    </td>
  );
}

interface MonthMapProps {
  /** `YYYY-MM` (UTC) with its return, a fraction. */
  months: readonly { month: string; return: number }[];
}

/** Monthly returns, years by months; a year compounds its months. */
export default function MonthMap({ months }: MonthMapProps) {
  const of = new Map(months.map(({ month, return: value }) => [month, value]));
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const yearOf = (year: string) =>
    months.filter(({ month }) => month.startsWith(year)).reduce((grown, row) => grown * (1 + row.return), 1) - 1;
  return (
    <Card size="small" title="月度收益（UTC 月份）">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, and nothing in it takes the focus. */}
      <div className={styles.scroll} tabIndex={0}>
        <table className={styles.months} aria-label="月度收益">
          <thead>
            <tr>
              <th scope="col">年份</th>
              {MONTHS.map((month) => (
                <th key={month} scope="col">
                  {Number(month)} 月
                </th>
              ))}
              <th scope="col">全年</th>
            </tr>
          </thead>
          <tbody>
            {years.map((year) => (
              <tr key={year}>
                <th scope="row">{year}</th>
                {MONTHS.map((month) => (
                  <Cell key={month} value={of.get(`${year}-${month}`)} />
                ))}
                <Cell value={yearOf(year)} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
