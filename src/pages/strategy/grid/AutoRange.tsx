import { ProForm } from '@ant-design/pro-components';
import { Button, InputNumber, Segmented } from 'antd';
import { useState } from 'react';
import type { GridParams } from '#contract/kinds/grid/params';
import { GRID_RANGES, type GridRange, type GridSuggestion, gridScan, RANGE_DAYS } from '#contract/kinds/grid/scan';
import { DateTime } from '@/components/DateTime';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import type { Fill } from '@/form/formView';
import { CallError, failureText } from '@/services/CallError';
import { call } from '@/services/call';
import own from './grid.module.css';
import { RANGE_LABEL } from './gridLabels';

const RANGES = GRID_RANGES.map((value) => ({ value, label: RANGE_LABEL[value] }));
const { minimum: LEAST, maximum: MOST, default: DAYS } = RANGE_DAYS;

/** What was filled in, of which instrument. */
interface Filled {
  symbol: string;
  range: GridRange;
  days: number;
  found: GridSuggestion;
}

/** Fills the bounds of a range from the hours of the instrument that the form names. */
export function AutoRange({ fill }: { fill: Fill<GridParams> }) {
  const { source, symbol = '' } = ProForm.useWatch((values: Partial<GridParams>) => values) ?? {};
  const [range, choose] = useState<GridRange>('lowHigh');
  const [days, setDays] = useState<number | null>(DAYS);
  const [filled, setFilled] = useState<Filled>();
  const [failure, setFailure] = useState<string>();
  const [reading, setReading] = useState(false);
  const read = async () => {
    if (source === undefined || symbol === '' || days === null) return;
    setReading(true);
    setFailure(undefined);
    try {
      const found = await call(gridScan.range, { query: { source, symbol, range, days } });
      setFilled({ symbol, range, days, found });
      fill({ lower: found.lower, upper: found.upper });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFilled(undefined);
      setFailure(failureText(error, '没有读到历史，请重试'));
    } finally {
      setReading(false);
    }
  };
  return (
    <section aria-label="自动区间" className={own.auto}>
      <div className={own.autoAsk}>
        <span>自动区间</span>
        <Segmented aria-label="自动区间的算法" options={RANGES} value={range} onChange={choose} />
        <InputNumber
          aria-label="自动区间的天数"
          prefix="最近"
          suffix="天"
          min={LEAST}
          max={MOST}
          precision={0}
          controls={false}
          style={{ width: 112 }}
          value={days}
          onChange={setDays}
        />
        <Button loading={reading} disabled={symbol === '' || days === null} onClick={() => void read()}>
          填入上下限
        </Button>
        {symbol === '' && <span className="soft">先填交易对</span>}
      </div>
      <div aria-live="polite">
        {failure !== undefined && <span className={own.wrong}>{failure}</span>}
        {filled && <FilledFrom {...filled} />}
      </div>
    </section>
  );
}

/** The figures that the bounds come of. */
function FilledFrom({ symbol, range, days, found }: Filled) {
  const { lower, upper, low, high, atr, price, from, until } = found;
  return (
    <p className="soft">
      {symbol} 最近 {days} 天（
      <DateTime value={from} /> 至 <DateTime value={until} />
      ）最低 <Price value={low} />
      ，最高 <Price value={high} />
      ，收盘 <Price value={price} />
      ，日均波幅 <Price value={atr} />（<Percent value={atr / price} digits={2} />
      ）。已填 {RANGE_LABEL[range]}：
      <Price value={lower} /> 至 <Price value={upper} />
      ，现价在区间 <Percent value={(price - lower) / (upper - lower)} digits={0} /> 处。
    </p>
  );
}
