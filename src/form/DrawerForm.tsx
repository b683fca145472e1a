import { DrawerForm as ProDrawerForm } from '@ant-design/pro-components';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { MoneyButton } from '@/components/MoneyButton';
import { useFocusBack } from '@/components/useFocusBack';
import styles from './form.module.css';
import { type OverlayFormProps, useOverlayForm } from './useOverlayForm';

interface DrawerFormProps<V extends object> extends OverlayFormProps<V> {
  width?: number | string;
  submitText: string;
  /** What else submits the form. */
  also?: { text: string; onClick: () => void } | undefined;
  /** What sets fields without a person typing says so by `changed`. */
  children: ReactNode | ((changed: () => void) => ReactNode);
}

/** A form in a drawer, which is open until it is closed. */
export function DrawerForm<V extends object>({ title, width, submitText, also, children, ...own }: DrawerFormProps<V>) {
  const { form, leave, offer } = useOverlayForm({ title, ...own });
  useFocusBack();
  return (
    <ProDrawerForm<V>
      {...form}
      open
      title={title}
      width={width}
      // What was typed is not lost to a click beside it.
      drawerProps={{ onClose: leave, mask: { closable: false } }}
      submitter={{
        render: () => (
          <div className={styles.buttons}>
            <Button onClick={leave}>关闭</Button>
            {also && <MoneyButton onClick={also.onClick}>{also.text}</MoneyButton>}
            <MoneyButton type="primary" onClick={own.form.submit}>
              {submitText}
            </MoneyButton>
          </div>
        ),
      }}
    >
      <div className={`stack ${styles.stack}`}>
        {offer}
        {typeof children === 'function' ? children(form.onValuesChange) : children}
      </div>
    </ProDrawerForm>
  );
}
