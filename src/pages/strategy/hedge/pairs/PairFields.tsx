import { ProForm } from '@ant-design/pro-components';
import { Alert, Button } from 'antd';
import type { HedgeDesk, HedgeSettings } from '#contract/kinds/hedge/config';
import { LEG_LABEL, LEGS, type Leg } from '#contract/lifecycle';
import { basketOf } from '#contract/pair';
import { SymbolSelect } from '@/components/SymbolSelect';
import { Field } from '@/form/Field';
import { pairRules } from './pairRules';
import styles from './pairs.module.css';

export interface Sides {
  long?: string;
  short?: string;
}

interface PairFieldsProps extends Sides {
  desk: HedgeDesk & { settings: HedgeSettings };
  /** As it came: a symbol or a basket a side. */
  wish: { long: string; short: string };
}

const OTHER = { long: 'short', short: 'long' } as const;

/** One coin a side, with the rules that the server checks as well. */
export function PairFields({ desk, wish, ...sides }: PairFieldsProps) {
  const form = ProForm.useFormInstance<Sides>();
  return (
    <div className={styles.twoSides}>
      {LEGS.map((side) => (
        <BasketChoice
          key={side}
          side={side}
          text={wish[side]}
          onChoose={(symbol) => form.setFieldsValue({ [side]: symbol })}
        />
      ))}
      {LEGS.map((side) => {
        const other = sides[OTHER[side]];
        return (
          <Field
            key={side}
            name={side}
            label={LEG_LABEL[side]}
            rules={pairRules(side, desk)}
            dependencies={[OTHER[side]]}
          >
            <SymbolSelect source={desk.settings.source} exclude={other ? [other] : []} aria-label={LEG_LABEL[side]} />
          </Field>
        );
      })}
    </div>
  );
}

interface BasketChoiceProps {
  side: Leg;
  text: string;
  onChoose: (symbol: string) => void;
}

/** Says that a basket cannot be hedged as such, and offers its coins one by one. */
function BasketChoice({ side, text, onChoose }: BasketChoiceProps) {
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
