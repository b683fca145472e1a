import { ProForm } from '@ant-design/pro-components';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { type ApiKeyRow, apiKey, KEY_NOTE_LENGTH } from '#contract/apiKey';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { keyTitle } from './keyLabels';

interface Values {
  name: string;
  note: string;
}

const rules = rulesOf(apiKey.edit.body!);
const NOTE_RULES = rules.note.filter((rule) => !('required' in rule));

interface EditDialogProps {
  row: ApiKeyRow;
  onSaved: () => void;
  onClose: () => void;
}

/** Name and note of a key. */
export default function EditDialog({ row, onSaved, onClose }: EditDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const [saving, setSaving] = useState(false);
  const save = async ({ name, note }: Values) => {
    setSaving(true);
    try {
      await call(apiKey.edit, { body: { id: row.id, name, note } });
      toast.success('已保存');
      onSaved();
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error.fields);
      setSaving(false);
    }
  };
  return (
    <ModalForm<Values>
      title={`编辑：${keyTitle(row)}`}
      subject={keyTitle(row)}
      form={form}
      initialValues={{ name: row.name, note: row.note }}
      unsavedIn={({ name, note }) => [...(name === row.name ? [] : ['名称']), ...(note === row.note ? [] : ['备注'])]}
      onFinish={save}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={leave}>取消</Button>
          <Button type="primary" loading={saving} onClick={form.submit}>
            保存
          </Button>
        </>
      )}
    >
      <Field name="name" label="名称" rules={rules.name}>
        <Input autoComplete="off" maxLength={32} />
      </Field>
      <Field name="note" label="备注" rules={NOTE_RULES}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 5 }} maxLength={KEY_NOTE_LENGTH} showCount />
      </Field>
    </ModalForm>
  );
}
