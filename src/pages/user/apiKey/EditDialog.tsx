import { Input } from 'antd';
import { type ApiKeyRow, apiKey, KEY_NOTE_LENGTH } from '#contract/apiKey';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import { keyTitle } from './keyLabels';

const rules = rulesOf(apiKey.edit.body!);
const NOTE_RULES = rules.note.filter((rule) => !('required' in rule));

interface EditDialogProps {
  row: ApiKeyRow;
  onSaved: () => void;
  onClose: () => void;
}

/** Name and note of a key. */
export default function EditDialog({ row, onSaved, onClose }: EditDialogProps) {
  return (
    <FormDialog
      title={`编辑：${keyTitle(row)}`}
      subject={keyTitle(row)}
      initialValues={{ name: row.name, note: row.note }}
      losing={{ name: '名称', note: '备注' }}
      save={async (values, options) => {
        await call(apiKey.edit, { body: { id: row.id, ...values } }, options);
        toast.success('已保存');
        onSaved();
        onClose();
      }}
      onClose={onClose}
    >
      <Field name="name" label="名称" rules={rules.name}>
        <Input autoComplete="off" maxLength={32} />
      </Field>
      <Field name="note" label="备注" rules={NOTE_RULES}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 5 }} maxLength={KEY_NOTE_LENGTH} showCount />
      </Field>
    </FormDialog>
  );
}
