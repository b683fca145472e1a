import { Input, InputNumber, Select } from 'antd';
import { PUSH_CHANNEL_LABEL, PUSH_FIELDS, type PushChannelName, pushChannel } from '#contract/pushChannel';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import { CHANNEL_FORMS, type ChannelField } from './channelFields';
import styles from './notification.module.css';

type Values = Record<string, string | number | undefined>;

interface ChannelDialogProps {
  channel: PushChannelName;
  onSaved: () => void;
  onClose: () => void;
}

/** Empty is an answer where a field may be left out. */
const filled = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

function widgetOf({ isNumber, options, isSecret, placeholder = '' }: ChannelField) {
  if (isNumber) return <InputNumber min={1} max={65_535} precision={0} className={styles.port} />;
  if (options) return <Select options={options} />;
  // No manager of passwords is to offer or keep the login here.
  if (isSecret) return <Input.Password autoComplete="new-password" placeholder={placeholder} />;
  return <Input autoComplete="off" placeholder={placeholder} />;
}

/** Asks for what a channel needs, and says where that is found. */
export default function ChannelDialog({ channel, onSaved, onClose }: ChannelDialogProps) {
  const { steps, fields } = CHANNEL_FORMS[channel];
  const endpoint = pushChannel[channel] as typeof pushChannel.wecom;
  const schema = PUSH_FIELDS[channel] as Record<string, { title?: string }>;
  const rules = rulesOf(endpoint.body!) as Record<string, ReturnType<typeof rulesOf>[string]>;
  const labelOf = (name: string) => schema[name]?.title ?? name;
  return (
    <FormDialog<Values>
      title={`推送到${PUSH_CHANNEL_LABEL[channel]}`}
      initialValues={Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))}
      losing={Object.fromEntries(fields.map(({ name }) => [name, labelOf(name)]))}
      save={async (values, options) => {
        await call(endpoint, { body: filled(values) as never }, options);
        onSaved();
      }}
      onClose={onClose}
    >
      <ol className={`soft ${styles.steps}`} aria-label="怎样取得">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {fields.map((field) => (
        <Field
          key={field.name}
          name={field.name}
          label={labelOf(field.name)}
          extra={field.extra}
          rules={rules[field.name] ?? []}
          normalize={trimmed}
        >
          {widgetOf(field)}
        </Field>
      ))}
      <p className="soft">加密保存，此后不再显示；只连接公网地址。</p>
    </FormDialog>
  );
}
