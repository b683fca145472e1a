import { Form, InputNumber, Select } from 'antd';
import type { ReactNode } from 'react';
import { ENTRY_RULES, type HedgeSettings, ORDER_TYPES, RATIO_RULES, settingsErrors } from '#contract/hedgeConfig';
import { Explained } from '@/components/Explained';
import { ENTRY_RULE_LABEL, ORDER_TYPE_LABEL, RATIO_RULE_LABEL } from '@/components/labels';
import { SourceSelect } from '@/components/SourceSelect';
import { SymbolSelect } from '@/components/SymbolSelect';
import styles from './settings.module.css';
import { boundsOf, fieldRules, type SettingsValues, toApi } from './settingsValues';
import { BAR_OPTIONS, type SettingName, settingLabel } from './settingWords';

const RATIO_TEXT = {
  equal: '两边名义相等',
  beta: '两边对 BTC 的 beta 相抵',
  volatility: '两边波动相当',
} as const;
const ENTRY_TEXT = { immediate: '条件满足即建仓', z: '价差够远时才建仓' } as const;
const ORDER_TEXT = { market: '马上成交，付吃单费', maker: '先挂单省费，挂不上转市价' } as const;

const optionsOf = <W extends string>(words: readonly W[], label: Record<W, string>, text: Record<W, string>) =>
  words.map((value) => ({ value, label: `${label[value]}：${text[value]}` }));

interface FieldProps {
  name: SettingName;
  children: ReactNode;
  dependencies?: SettingName[];
}

function Field({ name, children, dependencies }: FieldProps) {
  const { description } = boundsOf(name);
  const label = settingLabel(name);
  return (
    <Form.Item
      name={name}
      label={description ? <Explained text={description}>{label}</Explained> : label}
      rules={name === 'exitZ' ? [...fieldRules.exitZ, acrossFields] : fieldRules[name]}
      dependencies={dependencies}
    >
      {children}
    </Form.Item>
  );
}

/** The contract's rules across fields, told where the contract puts them. */
const acrossFields = ({ getFieldsValue }: { getFieldsValue: (all: true) => unknown }) => ({
  validator: async (): Promise<void> => {
    const broken = settingsErrors(toApi(getFieldsValue(true) as SettingsValues))?.[0];
    if (broken) throw new Error(broken.message);
  },
});

interface FigureProps {
  name: SettingName;
  unit?: string;
  step?: number;
  /** May be left empty, which switches the rule off. */
  optional?: boolean;
  disabled?: boolean;
  dependencies?: SettingName[];
}

function Figure({ name, unit, step, optional, disabled, dependencies }: FigureProps) {
  const { minimum, maximum } = boundsOf(name);
  return (
    <Field name={name} dependencies={dependencies}>
      <InputNumber
        aria-label={settingLabel(name)}
        className={styles.figureField}
        suffix={unit}
        step={step}
        disabled={disabled}
        placeholder={optional ? '空 = 不启用' : `${minimum} – ${maximum}`}
      />
    </Field>
  );
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.fieldGroup}>
    <legend>{title}</legend>
    <div className={styles.fieldGrid}>{children}</div>
  </fieldset>
);

/** All settings with units; bounds and labels are the contract's. */
export function SettingsFields() {
  const source = Form.useWatch<HedgeSettings['source']>('source') ?? 'simulated';
  const byZ = Form.useWatch<HedgeSettings['entry']>('entry') === 'z';
  return (
    <>
      <Group title="规模">
        <Field name="source">
          <SourceSelect />
        </Field>
        <Figure name="legNotional" unit="USDT" step={100} />
        <Figure name="leverage" unit="倍" />
        <Figure name="maxHedges" unit="对" />
        <Field name="ratio">
          <Select
            aria-label={settingLabel('ratio')}
            options={optionsOf(RATIO_RULES, RATIO_RULE_LABEL, RATIO_TEXT)}
            popupMatchSelectWidth={false}
          />
        </Field>
      </Group>
      <Group title="入场与出场">
        <Field name="entry">
          <Select
            aria-label={settingLabel('entry')}
            options={optionsOf(ENTRY_RULES, ENTRY_RULE_LABEL, ENTRY_TEXT)}
            popupMatchSelectWidth={false}
          />
        </Field>
        <Figure name="entryZ" step={0.1} disabled={!byZ} />
        <Figure name="exitZ" step={0.1} disabled={!byZ} dependencies={['entry', 'entryZ']} />
        <Field name="zBar">
          <Select aria-label={settingLabel('zBar')} options={BAR_OPTIONS} />
        </Field>
        <Figure name="zWindow" unit="根" />
      </Group>
      <Group title="风控（留空 = 不启用）">
        <Figure name="stopLoss" unit="%" step={0.5} optional />
        <Figure name="takeProfit" unit="%" step={0.5} optional />
        <Figure name="maxHoldingHours" unit="小时" step={24} optional />
        <Figure name="rebalance" unit="%" step={0.5} optional />
        <Figure name="dailyLossLimit" unit="USDT" step={100} optional />
        <Field name="blacklist">
          <SymbolSelect multiple source={source} aria-label="黑名单" placeholder="不交易的币种" maxCount={200} />
        </Field>
      </Group>
      <Group title="下单">
        <Field name="orderType">
          <Select
            aria-label={settingLabel('orderType')}
            options={optionsOf(ORDER_TYPES, ORDER_TYPE_LABEL, ORDER_TEXT)}
            popupMatchSelectWidth={false}
          />
        </Field>
        <Figure name="slippageCap" unit="bps" />
      </Group>
    </>
  );
}
