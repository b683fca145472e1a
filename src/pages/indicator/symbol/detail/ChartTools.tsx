import { Button, Checkbox, Segmented } from 'antd';
import { type ChartBar, isMinuteBar } from '#contract/candle';
import { LATEST_BARS } from '@/chart/curve';
import { SymbolSelect } from '@/components/SymbolSelect';
import styles from './index.module.css';

const BAR_LABEL: Record<ChartBar, string> = {
  ...{ '1d': '日线', '4h': '4 小时', '1h': '1 小时' },
  ...{ '15m': '15 分钟', '5m': '5 分钟', '1m': '1 分钟' },
};

const NEWEST = { from: null, to: null };

interface ChartToolsProps {
  source: string;
  symbol: string;
  bars: ChartBar[];
  bar: ChartBar;
  ma: boolean;
  boll: boolean;
  /** Absent where the reader has traded nothing of it. */
  own: boolean | undefined;
  compare: string;
  ranged: boolean;
  onAll: () => void;
  onChange: (change: {
    bar?: ChartBar;
    ma?: 'on' | 'off';
    boll?: boolean;
    own?: 'on' | 'off';
    compare?: string;
    from?: null;
    to?: null;
  }) => void;
}

/** Bar, averages, bands, own trades and the coin to compare with. */
export function ChartTools(props: ChartToolsProps) {
  const { source, symbol, bars, bar, ma, boll, own, compare, ranged, onAll, onChange } = props;
  return (
    <div className={styles.tools}>
      <Segmented
        aria-label="周期"
        value={bar}
        options={bars.map((value) => ({ value, label: BAR_LABEL[value] }))}
        // A stretch of days is nothing that minutes could show, nor the reverse.
        onChange={(value) => onChange({ bar: value, ...(isMinuteBar(value) !== isMinuteBar(bar) && NEWEST) })}
      />
      <span>
        <Checkbox checked={ma} onChange={({ target }) => onChange({ ma: target.checked ? 'on' : 'off' })}>
          MA7 / MA25
        </Checkbox>
        <Checkbox checked={boll} onChange={({ target }) => onChange({ boll: target.checked })}>
          布林带
        </Checkbox>
        {own !== undefined && (
          <Checkbox checked={own} onChange={({ target }) => onChange({ own: target.checked ? 'on' : 'off' })}>
            我的成交
          </Checkbox>
        )}
      </span>
      <SymbolSelect
        aria-label="比较币种"
        placeholder="与另一币种比较"
        source={source}
        value={compare === '' ? undefined : compare}
        exclude={[symbol]}
        onChange={(value) => onChange({ compare: value })}
      />
      {compare !== '' && <Button onClick={() => onChange({ compare: '' })}>取消比较</Button>}
      <Button onClick={onAll}>显示全部</Button>
      {ranged && <Button onClick={() => onChange(NEWEST)}>最近 {LATEST_BARS} 根</Button>}
    </div>
  );
}
