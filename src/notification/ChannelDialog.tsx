import { Input, Select } from 'antd';
import {
  MAIL_SECURITY_LABEL,
  PUSH_CHANNEL_LABEL,
  PUSH_FIELDS,
  type PushChannelName,
  pushChannel,
} from '#contract/pushChannel';
import { NumberInput } from '@/components/NumberInput';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import styles from './notification.module.css';

interface ChannelField {
  name: string;
  placeholder?: string;
  /** Under the field. */
  extra?: string;
  /** Not shown while it is typed. */
  isSecret?: boolean;
  options?: { value: string; label: string }[];
  isNumber?: boolean;
  initial?: string | number;
}

interface ChannelForm {
  /** How its owner gets what the fields ask for, step by step. */
  steps: readonly string[];
  fields: readonly ChannelField[];
}

const robotSecret: ChannelField = { name: 'secret', isSecret: true };

/** What the form of each channel asks for, and where that is found. */
const CHANNEL_FORMS: Record<PushChannelName, ChannelForm> = {
  telegram: {
    steps: [
      '在 Telegram 里找 @BotFather，发送 /newbot，按提示取名，得到机器人令牌。',
      '先给机器人发一条消息（群则把它拉进群），它才能发消息给您。',
      '找 @userinfobot 得到自己的会话 ID；群的 ID 是负数，可在机器人的 getUpdates 答复里看到 chat.id。',
    ],
    fields: [
      { name: 'token', placeholder: '123456789:ABC-def…', isSecret: true },
      { name: 'chatId', placeholder: '123456789 或 -1001234567890' },
      {
        name: 'apiUrl',
        placeholder: 'https://api.telegram.org',
        extra: '可不填；连不上 Telegram 时填自己的反向代理，令牌会经过它',
      },
    ],
  },
  feishu: {
    steps: [
      '在飞书群里打开 设置 · 群机器人 · 添加机器人，选“自定义机器人”。',
      '复制 Webhook 地址；安全设置选“签名校验”并复制密钥（选“自定义关键词”则填：对冲控制台）。',
    ],
    fields: [
      { name: 'url', placeholder: 'https://open.feishu.cn/open-apis/bot/v2/hook/…' },
      { ...robotSecret, extra: '开启“签名校验”时必填；没有开启则不填' },
    ],
  },
  dingtalk: {
    steps: [
      '在钉钉群里打开 群设置 · 机器人 · 添加机器人，选“自定义”。',
      '安全设置选“加签”，复制以 SEC 开头的密钥（选“自定义关键词”则填：对冲控制台），完成后复制 Webhook 地址。',
    ],
    fields: [
      { name: 'url', placeholder: 'https://oapi.dingtalk.com/robot/send?access_token=…' },
      { ...robotSecret, placeholder: 'SEC…', extra: '选“加签”时必填；只用关键词或 IP 时不填' },
    ],
  },
  wecom: {
    steps: ['在企业微信群里打开 群设置 · 消息推送（群机器人）· 添加，取名后复制 Webhook 地址；不要把它发给别人。'],
    fields: [{ name: 'url', placeholder: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…' }],
  },
  email: {
    steps: [
      '在发件邮箱的设置里开启 SMTP 服务；QQ、163 等要另外生成“授权码”，填在密码里，不是登录密码。',
      'Gmail、Outlook 要开启两步验证后生成“应用专用密码”。',
    ],
    fields: [
      { name: 'host', placeholder: 'smtp.qq.com' },
      {
        name: 'security',
        initial: 'tls',
        options: Object.entries(MAIL_SECURITY_LABEL).map(([value, label]) => ({ value, label })),
      },
      { name: 'port', isNumber: true, initial: 465 },
      { name: 'user', placeholder: '多为完整的邮箱地址' },
      { name: 'password', isSecret: true },
      { name: 'from', placeholder: 'robot@example.com', extra: '多数服务商要求与用户名相同' },
      { name: 'to', placeholder: 'me@example.com' },
    ],
  },
};

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
  if (isNumber) return <NumberInput min={1} max={65_535} precision={0} className={styles.port} />;
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
