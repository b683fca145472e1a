import { ModalForm, ProForm } from '@ant-design/pro-components';
import { Button, type FormInstance } from 'antd';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { HoldButton } from '@/components/HoldButton';
import { MoneyButton } from '@/components/MoneyButton';
import { toast } from '@/components/toast';
import { CallError } from '@/services/CallError';
import type { CallOptions } from '@/services/call';
import { WriteNames } from '@/services/WriteNames';
import { showFieldErrors } from './fieldErrors';
import styles from './form.module.css';
import { type OverlayFormProps, useOverlayForm } from './useOverlayForm';

type Name<V> = keyof V & string;

interface FormDialogProps<V extends object> extends Omit<OverlayFormProps<V>, 'form' | 'unsavedIn' | 'onFinish'> {
  /** Its own unless something beside the fields follows it. */
  form?: FormInstance<V>;
  width?: number;
  /** Where it may be asked while another dialog waits for it. */
  zIndex?: number;
  /** The field that is typed in first. */
  first?: Name<V>;
  /** What the question before leaving calls the fields that would be lost; the others are no loss. */
  losing?: Partial<Record<Name<V>, string>>;
  /** The button that saves. */
  okText?: string;
  danger?: boolean;
  /** It opens something: the button has to be held, and Enter does nothing. */
  money?: boolean;
  /** What the other button does where it does not leave the dialog. */
  back?: { text: string; go: () => void } | undefined;
  /** Writes what was typed; a refusal is shown at its fields. Tried again after no answer came, it has the same key. */
  save?: (values: V, options: Pick<CallOptions, 'quiet' | 'idempotencyKey'>) => Promise<unknown>;
  /** The field that a refusal is about which names none. */
  refusedAt?: Name<V>;
  /** Other buttons than these; the first of them leaves. */
  buttons?: (leave: () => void) => ReactNode;
  children: ReactNode;
}

const quiet = ({ fields }: CallError) => fields.length > 0;
/** An empty field is null in one widget and undefined in another. */
const plain = (value: unknown) => JSON.stringify(value ?? null);
/** `limits.dailyLoss` is the field dailyLoss. */
const lastPart = (field: string) => field.replace(/^[a-z]+\.(?=[a-zA-Z])/, '');

/** Enter saves from a line of text or a number; in a list it chooses, and in several lines it begins the next. */
function isSaving({ key, target, nativeEvent }: KeyboardEvent): boolean {
  if (key !== 'Enter' || nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return false;
  return !['radio', 'checkbox'].includes(target.type) && target.getAttribute('role') !== 'combobox';
}

/** A form in a dialog, which is open until it is closed: it writes by itself, and says where that was refused. */
export function FormDialog<V extends object>(props: FormDialogProps<V>) {
  const { title, width = 520, zIndex, first, losing = {}, initialValues, buttons, children } = props;
  const [form] = ProForm.useForm<V>(props.form);
  const { saving, submit } = useSave(form, props);
  const unsavedIn = (values: V) => [
    ...new Set(
      (Object.entries(losing) as [Name<V>, string][])
        .filter(([name]) => name in values && plain(values[name]) !== plain(initialValues[name]))
        .map(([, label]) => label),
    ),
  ];
  const onFinish = props.save && !props.money ? submit : undefined;
  const overlay = useOverlayForm({ ...props, form, unsavedIn, onFinish });
  const usual = () => <Buttons {...props} {...{ form, saving, submit }} leave={overlay.leave} />;
  return (
    <ModalForm<V>
      {...overlay.form}
      // Another form on the page may have fields of the same names.
      name={useId()}
      open
      title={title}
      onKeyDown={(event) => onFinish && !saving && isSaving(event) && form.submit()}
      width={`min(${width}px, calc(100vw - 32px))`}
      modalProps={{
        onCancel: overlay.leave,
        ...(zIndex !== undefined && { zIndex }),
        mask: { closable: false },
        // The dialog takes the focus for itself while it opens.
        afterOpenChange: (open) => open && first && form.getFieldInstance(first)?.focus(),
      }}
      submitter={{ render: () => <div className={styles.buttons}>{buttons?.(overlay.leave) ?? usual()}</div> }}
    >
      {/* However long the form, its buttons stay in sight. */}
      <div className={`stack ${styles.stack} ${styles.dialog}`}>
        {overlay.offer}
        {children}
      </div>
    </ModalForm>
  );
}

function useSave<V extends object>(form: FormInstance<V>, { save, refusedAt }: FormDialogProps<V>) {
  const [names] = useState(() => new WriteNames());
  const [saving, setSaving] = useState(false);
  const submit = async (values: V) => {
    setSaving(true);
    try {
      await names.run(values, async (idempotencyKey) => save?.(values, { idempotencyKey, quiet }));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const { fields, message } = error;
      const told = fields.map((one) => ({ field: lastPart(one.field), message: one.message }));
      const [rest] = showFieldErrors(form, fields.length || !refusedAt ? told : [{ field: refusedAt, message }]);
      // What has no field here would not be seen otherwise.
      if (rest !== undefined) toast.error(rest);
    } finally {
      setSaving(false);
    }
  };
  return { saving, submit };
}

interface ButtonsProps<V extends object> extends Omit<FormDialogProps<V>, 'form'> {
  form: FormInstance<V>;
  saving: boolean;
  submit: (values: V) => Promise<void>;
  leave: () => void;
}

function Buttons<V extends object>(props: ButtonsProps<V>) {
  const { form, okText = '保存', danger = false, money, back, saving, submit, leave } = props;
  const onHeld = async () => {
    const values = await form.validateFields().catch(() => null);
    if (values) await submit(values);
  };
  return (
    <>
      <Button onClick={back?.go ?? leave}>{back?.text ?? '取消'}</Button>
      {money ? (
        <HoldButton loading={saving} onHeld={() => void onHeld()}>
          按住 1 秒：{okText}
        </HoldButton>
      ) : (
        <MoneyButton type="primary" danger={danger} loading={saving} onClick={form.submit}>
          {okText}
        </MoneyButton>
      )}
    </>
  );
}
