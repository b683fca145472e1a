import { Alert, Button } from 'antd';
import type { Leg } from '#contract/lifecycle';
import { basketOf } from '#contract/pair';
import { LEG_LABEL } from '@/components/labels';
import styles from './pairs.module.css';

interface BasketChoiceProps {
  side: Leg;
  text: string;
  onChoose: (symbol: string) => void;
}

/** Says that a basket cannot be hedged as such, and offers its coins one by one. */
export function BasketChoice({ side, text, onChoose }: BasketChoiceProps) {
  const coins = basketOf(text);
  if (coins.length < 2) return null;
  return (
    <Alert
      type="info"
      className={styles.wholeRow}
      title={`${LEG_LABEL[side]}是一篮子币种：对冲的每一边只能是一个币种，请选一个。`}
      description={
        <span className={styles.choices}>
          {coins.map((symbol) => (
            <Button key={symbol} size="small" onClick={() => onChoose(symbol)}>
              {symbol}
            </Button>
          ))}
        </span>
      }
    />
  );
}
