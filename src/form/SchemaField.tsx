import { ProForm } from '@ant-design/pro-components';
import { Input, Select, Switch } from 'antd';
import { numberText } from '@/components/formatNumber';
import { NumberInput } from '@/components/NumberInput';
import { optionsOf } from '@/table/FilterSelect';
import { Field } from './Field';
import styles from './form.module.css';
import type { FieldView } from './formView';
import type { FieldFacts, SchemaForm } from './schemaForm';

interface SchemaFieldProps<V extends object> {
  form: SchemaForm<V>;
  name: keyof V & string;
}

/** One parameter by its row of the view table. */
export function SchemaField<V extends object>({ form, name }: SchemaFieldProps<V>) {
  const view = form.view.fields[name] as FieldView<V, keyof V>;
  const facts = form.facts(name);
  const { widget, isIdle, dependsOn } = view;
  // Only what these two say has to follow the other fields.
  const shown = ProForm.useWatch((values: Partial<V>) => ({
    values: widget ? values : {},
    idle: isIdle?.(values) ?? false,
  }));
  const { across } = form.view;
  const rules = across && dependsOn ? [...form.rules[name], acrossRule(form, name, dependsOn)] : form.rules[name];
  return (
    <Field
      name={name}
      label={facts.title ?? name}
      help={facts.description}
      rules={rules}
      dependencies={dependsOn as string[] | undefined}
      valuePropName={facts.type === 'boolean' ? 'checked' : 'value'}
    >
      {widget ? widget((shown?.values ?? {}) as Partial<V>) : ready(facts, view, shown?.idle ?? false)}
    </Field>
  );
}

const isMissing = (value: unknown, { nullable = false }: FieldFacts): boolean =>
  value === '' || (!nullable && (value === null || value === undefined));

/** The contract's rules across fields, told where the contract puts them. */
const acrossRule =
  <V extends object>(form: SchemaForm<V>, name: keyof V & string, others: readonly (keyof V & string)[]) =>
  ({ getFieldsValue }: { getFieldsValue: (all: true) => unknown }) => ({
    validator: async (): Promise<void> => {
      const values = getFieldsValue(true) as V;
      // What is missing has its own error, and is no number to be compared with.
      if ([name, ...others].some((one) => isMissing(values[one], form.facts(one)))) return;
      const broken = form.view.across?.(form.toApi(values))?.find(({ field }) => field === name);
      if (broken) throw new Error(broken.message);
    },
  });

const rangeText = (bounds: readonly (number | undefined)[]): string =>
  bounds.flatMap((bound) => (bound === undefined ? [] : numberText(bound))).join(' – ');

/** The widget that a parameter's type asks for. */
function ready<V extends object>(facts: FieldFacts, { meanings, unit, step }: FieldView<V, keyof V>, idle: boolean) {
  const { type, title, nullable, minimum, maximum, 'x-labels': labels } = facts;
  if (labels) {
    const options = optionsOf(labels).map(({ value, label }) => ({
      value,
      label: meanings ? `${label}：${meanings[value]}` : label,
    }));
    return <Select aria-label={title} options={options} popupMatchSelectWidth={false} disabled={idle} />;
  }
  if (type === 'boolean') return <Switch aria-label={title} disabled={idle} />;
  if (type === 'number' || type === 'integer') {
    return (
      <NumberInput
        aria-label={title}
        className={styles.figure}
        suffix={unit}
        step={step}
        disabled={idle}
        placeholder={nullable ? '空 = 不启用' : rangeText([minimum, maximum])}
      />
    );
  }
  return <Input aria-label={title} disabled={idle} />;
}
