import { ProForm } from '@ant-design/pro-components';
import { Button, Input } from 'antd';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint';
import { notification } from '#contract/notification';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';

interface Values {
  url: string;
}

interface WebhookDialogProps {
  onSaved: (saved: DataOf<typeof notification.setWebhook>) => void;
  onClose: () => void;
}

const LABEL = '推送地址';
const rules = rulesOf(notification.setWebhook.body!).url;

/** Asks for the address; saving it makes a new secret. */
export default function WebhookDialog({ onSaved, onClose }: WebhookDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const [saving, setSaving] = useState(false);
  const save = async ({ url }: Values) => {
    setSaving(true);
    try {
      onSaved(await call(notification.setWebhook, { body: { url } }, { quiet: ({ fields }) => fields.length > 0 }));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error.fields);
      setSaving(false);
    }
  };
  return (
    <ModalForm<Values>
      title={LABEL}
      form={form}
      initialValues={{ url: '' }}
      unsavedIn={({ url }) => (url === '' ? [] : [LABEL])}
      onFinish={save}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={leave}>取消</Button>
          <Button type="primary" loading={saving} onClick={form.submit}>
            保存并生成密钥
          </Button>
        </>
      )}
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
    </ModalForm>
  );
}
