import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { use, useState } from 'react';
import styles from './DayCalendar.module.css';
import { formatNumber } from './formatNumber';
import { Heat } from './Heat';
import { Missing } from './Missing';
import { NumberStyleContext } from './NumberStyleContext';
import { Pnl } from './Pnl';

/** `YYYY-MM-DD` and what the day brought, USDT; `null` where nothing was recorded. */
export interface CalendarDay {
  day: string;
  net: number | null;
}

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'];

/** The days of a month in weeks from Monday; `null` before its first and after its last. */
function weeksOf(month: string): (string | null)[][] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const cells: (string | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= count; day++) cells.push(`${month}-${String(day).padStart(2, '0')}`);
  while (cells.length % 7 > 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

function DayCell({ day, row, full }: { day: string; row: CalendarDay | undefined; full: number }) {
  const style = use(NumberStyleContext);
  return (
    <td className={styles.day}>
      {row && row.net !== null && <Heat value={row.net} full={full} />}
      <span className={styles.dayNumber}>{Number(day.slice(8))}</span>
      {row && (
        <span className={styles.dayFigure}>
          {row.net === null ? (
            <Missing reason="当日没有记录" />
          ) : (
            formatNumber(row.net, { digits: Math.abs(row.net) < 100 ? 1 : 0, signed: true, compact: true, style })
          )}
        </span>
      )}
    </td>
  );
}

/** One month of days with their net result, USDT; the month's own result above it. */
export function DayCalendar({ days }: { days: readonly CalendarDay[] }) {
  const months = [...new Set(days.map(({ day }) => day.slice(0, 7)))];
  const [chosen, setChosen] = useState<string | null>(null);
  const month = chosen !== null && months.includes(chosen) ? chosen : months[months.length - 1];
  if (month === undefined) return <span className="soft">还没有记录</span>;
  const at = months.indexOf(month);
  const rows = new Map(days.filter(({ day }) => day.startsWith(month)).map((row) => [row.day, row]));
  const nets = [...rows.values()].flatMap(({ net }) => (net === null ? [] : [net]));
  const full = Math.max(0, ...nets.map(Math.abs));
  return (
    <>
      <div className={styles.month}>
        <Button
          size="small"
          icon={<LeftOutlined />}
          aria-label="上个月"
          disabled={at === 0}
          onClick={() => setChosen(months[at - 1]!)}
        />
        <strong>{month}</strong>
        <Button
          size="small"
          icon={<RightOutlined />}
          aria-label="下个月"
          disabled={at === months.length - 1}
          onClick={() => setChosen(months[at + 1]!)}
        />
        <span>
          本月 <Pnl value={nets.length === 0 ? null : nets.reduce((sum, net) => sum + net, 0)} unit="USDT" />
        </span>
      </div>
      <table className={styles.calendar} aria-label="盈亏日历">
        <thead>
          <tr>
            {WEEKDAYS.map((day) => (
              <th key={day} scope="col">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, i) =>
                day === null ? (
                  <td key={WEEKDAYS[i]} />
                ) : (
                  <DayCell key={day} day={day} row={rows.get(day)} full={full} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
