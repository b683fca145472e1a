import type { FormInstance } from 'antd';
import { useState } from 'react';
import { useLeaveGuard } from './useLeaveGuard';

export interface OverlayFormProps<V extends object> {
  title: string;
  /** What is edited, as the question before leaving calls it; the title unless told. */
  subject?: string;
  form: FormInstance<V>;
  initialValues: V;
  /** Labels of what these values would lose when they are not saved. */
  unsavedIn: (values: V) => readonly string[];
  /** What Enter and the form's own submit do; nothing where the buttons act by themselves. */
  onFinish?: (values: V) => void | Promise<void>;
  onChange?: () => void;
  onClose: () => void;
}

/** What a drawer and a dialog with a form share: nothing typed is lost without a question, and empty is an answer. */
export function useOverlayForm<V extends object>(props: OverlayFormProps<V>) {
  const { title, subject = title, form, initialValues, unsavedIn, onFinish, onChange, onClose } = props;
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const { leave } = useLeaveGuard({ subject, unsaved });
  return {
    leave: () => leave(onClose),
    form: {
      form,
      initialValues,
      layout: 'vertical',
      requiredMark: false,
      scrollToFirstError: true,
      autoFocusFirstInput: false,
      // Left out, a rule that was switched off would keep its old value.
      omitNil: false,
      onValuesChange: () => {
        setUnsaved(unsavedIn(form.getFieldsValue()));
        onChange?.();
      },
      // Not awaited here: pro-components would swallow what fails.
      onFinish: async (values: V) => void onFinish?.(values),
    } as const,
  };
}
