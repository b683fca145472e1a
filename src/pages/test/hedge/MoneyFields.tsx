import { Form, InputNumber } from 'antd';
import { Explained } from '@/components/Explained';
import type { BacktestValues } from './backtestValues';
import { fieldRules } from './fieldRules';

interface NumberField {
  name: keyof BacktestValues & keyof typeof fieldRules;
  label: string;
  unit: string;
  text: string;
  step?: number;
}

const FIELDS: NumberField[] = [
  { name: 'capital', label: '初始资金', unit: 'USDT', text: '回测开始时的权益', step: 1000 },
  { name: 'leverage', label: '杠杆', unit: '倍', text: '总敞口 / 权益；每边持有 权益 × 杠杆 / 2', step: 0.5 },
  { name: 'rebalance', label: '再平衡', unit: '根', text: '每隔多少根 K 线把两边恢复到目标敞口；0 为从不' },
  { name: 'feeBps', label: '手续费率', unit: 'bps', text: '每笔成交额的万分之几；5 bps = 0.05%' },
  { name: 'slippageBps', label: '滑点', unit: 'bps', text: '每笔成交额的万分之几；2 bps = 0.02%' },
];

/** Money, leverage and costs, each with its unit. */
export function MoneyFields() {
  return FIELDS.map(({ name, label, unit, text, step }) => (
    <Form.Item
      key={name}
      name={name}
      label={<Explained text={text}>{label}</Explained>}
      rules={[{ required: true, message: `请输入${label}` }, ...fieldRules[name]]}
    >
      <InputNumber aria-label={label} suffix={unit} step={step} style={{ width: '100%' }} />
    </Form.Item>
  ));
}
