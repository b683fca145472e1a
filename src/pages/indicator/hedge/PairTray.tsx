import { SwapOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { DirectionTag } from '@/components/DirectionTag';
import styles from './PairTray.module.css';
import { useSelection } from './selectionContext';
import type { Side } from './useBaskets';

interface PairTrayProps {
  onOpen: () => void;
}

/** The chosen coins of both sides, in view wherever the table is scrolled to. */
export function PairTray({ onOpen }: PairTrayProps) {
  const { baskets, visitor } = useSelection();
  const { long, short, swap, clear } = baskets;
  if (long.length + short.length === 0) return null;
  const complete = long.length > 0 && short.length > 0;
  return (
    <section className={styles.tray} aria-label="配对">
      <Chips side="long" />
      <Tooltip title="互换多空">
        <Button size="small" icon={<SwapOutlined />} aria-label="互换多空" onClick={swap} />
      </Tooltip>
      <Chips side="short" />
      <span className={styles.trayActions}>
        <Button size="small" onClick={clear}>
          清空
        </Button>
        <Tooltip title={complete ? undefined : '两边各选至少一个币种'}>
          <Button size="small" type="primary" disabled={!complete} onClick={onOpen}>
            {visitor ? '试用回测' : '查看配对'}
          </Button>
        </Tooltip>
      </span>
    </section>
  );
}

const NAME: Record<Side, string> = { long: '多头', short: '空头' };

function Chips({ side }: { side: Side }) {
  const { baskets } = useSelection();
  return (
    <div className={styles.chips}>
      <DirectionTag direction={side} />
      {baskets[side].length === 0 && <span className="missing">从表格中选择{NAME[side]}</span>}
      {baskets[side].map((symbol) => (
        <span key={symbol} className={styles.chip}>
          {symbol}
          <button
            type="button"
            className={styles.drop}
            aria-label={`从${NAME[side]}移除 ${symbol}`}
            onClick={() => baskets.remove(side, symbol)}
          >
            ×
          </button>
        </span>
      ))}
    </div>
  );
}
