import { history, useModel } from '@umijs/max';
import { Button, type FormInstance } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { ActionAlert } from '@/components/ActionAlert';
import { formatDateTime } from '@/components/DateTime';
import { drafts } from '@/services/drafts';
import { onSession } from '@/services/sessionSignal';
import { useLeaveGuard } from './useLeaveGuard';

export interface OverlayFormProps<V extends object> {
  title: string;
  /** What is edited, as the question before leaving calls it; the title unless told. */
  subject?: string;
  form: FormInstance<V>;
  initialValues: V;
  /** Labels of what these values would lose when they are not saved. */
  unsavedIn: (values: V) => readonly string[];
  /** What was typed outlives the end of the session and the way out of the page, in this tab: not for passwords and keys. */
  keepsDraft?: boolean;
  /** What Enter and the form's own submit do; nothing where the buttons act by themselves. */
  onFinish?: (values: V) => void | Promise<void>;
  onChange?: () => void;
  onClose: () => void;
}

/** What a drawer and a dialog with a form share: nothing typed is lost without a question, and empty is an answer. */
export function useOverlayForm<V extends object>(props: OverlayFormProps<V>) {
  const { title, subject = title, form, initialValues, unsavedIn, keepsDraft = false } = props;
  const { onFinish, onChange, onClose } = props;
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const { leave } = useLeaveGuard({ subject, unsaved });
  const follow = () => {
    setUnsaved(unsavedIn(form.getFieldsValue()));
    onChange?.();
  };
  const offer = useDraft({ title, form, isTyped: keepsDraft && unsaved.length > 0, follow });
  return {
    leave: () => leave(onClose),
    offer: keepsDraft ? offer : null,
    form: {
      form,
      initialValues,
      layout: 'vertical',
      requiredMark: false,
      scrollToFirstError: true,
      autoFocusFirstInput: false,
      // Left out, a rule that was switched off would keep its old value.
      omitNil: false,
      onValuesChange: follow,
      // Not awaited here: pro-components would swallow what fails.
      onFinish: async (values: V) => void onFinish?.(values),
    } as const,
  };
}

interface Drafted<V extends object> {
  title: string;
  form: FormInstance<V>;
  isTyped: boolean;
  /** What the form does when its values change. */
  follow: () => void;
}

/** Keeps what is typed when the session ends or the browser leaves the page, and offers it to the same person who opens the form again. */
function useDraft<V extends object>({ title, form, isTyped, follow }: Drafted<V>) {
  const userId = useModel('@@initialState').initialState?.user?.id;
  const { pathname, search } = history.location;
  const [held, setHeld] = useState(() => drafts.find(userId, { title, place: pathname }));
  const typed = useRef(isTyped);
  typed.current = isTyped;
  const place = `${pathname}${search}`;
  useEffect(() => {
    const keep = () => {
      if (!typed.current || userId === undefined) return;
      drafts.keep({ title, place, userId, values: form.getFieldsValue(), at: Date.now() });
    };
    // A page that comes back as it was has its form still.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && drafts.drop({ title, place });
    const forget = onSession((event) => event === 'signedOut' && keep());
    addEventListener('pagehide', keep);
    addEventListener('pageshow', comeBack);
    return () => {
      forget();
      removeEventListener('pagehide', keep);
      removeEventListener('pageshow', comeBack);
    };
  }, [title, place, userId, form]);
  if (held === undefined) return null;
  const drop = () => {
    drafts.drop(held);
    setHeld(undefined);
  };
  const restore = () => {
    form.setFieldsValue(held.values as Parameters<typeof form.setFieldsValue>[0]);
    drop();
    follow();
  };
  return (
    <ActionAlert
      type="info"
      title={`离开前（${formatDateTime(held.at)}）填写的内容还在`}
      action={
        <>
          <Button size="small" type="primary" onClick={restore}>
            恢复
          </Button>
          <Button size="small" type="text" onClick={drop}>
            丢弃
          </Button>
        </>
      }
    />
  );
}
