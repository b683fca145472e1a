import { Input } from 'antd';
import type { DataOf } from '#contract/endpoint';
import { notification } from '#contract/notification';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';

interface WebhookDialogProps {
  onSaved: (saved: DataOf<typeof notification.setWebhook>) => void;
  onClose: () => void;
}

const LABEL = '推送地址';
const rules = rulesOf(notification.setWebhook.body!).url;

/** Asks for the address; saving it makes a new secret. */
export default function WebhookDialog({ onSaved, onClose }: WebhookDialogProps) {
  return (
    <FormDialog
      title={LABEL}
      initialValues={{ url: '' }}
      losing={{ url: LABEL }}
      okText="保存并生成密钥"
      save={async (body, options) => onSaved(await call(notification.setWebhook, { body }, options))}
      onClose={onClose}
    >
      <Field
        name="url"
        label={LABEL}
        extra="公网 https 地址，加密保存，此后只显示主机；保存后生成新的签名密钥，原密钥作废"
        rules={rules}
        normalize={(text: string) => text.trim()}
      >
        <Input inputMode="url" autoComplete="off" placeholder="https://example.com/hook" maxLength={500} />
      </Field>
    </FormDialog>
  );
}
