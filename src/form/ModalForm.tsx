import { ModalForm as ProModalForm } from '@ant-design/pro-components';
import type { ReactNode } from 'react';
import styles from './form.module.css';
import { type OverlayFormProps, useOverlayForm } from './useOverlayForm';

interface ModalFormProps<V extends object> extends OverlayFormProps<V> {
  width?: number;
  /** The buttons; the first of them leaves. */
  buttons: (leave: () => void) => ReactNode;
  children: ReactNode;
}

/** A form in a dialog, which is open until it is closed. */
export function ModalForm<V extends object>({ title, width = 520, buttons, children, ...own }: ModalFormProps<V>) {
  const { form, leave } = useOverlayForm({ title, ...own });
  return (
    <ProModalForm<V>
      {...form}
      open
      title={title}
      width={`min(${width}px, calc(100vw - 32px))`}
      modalProps={{ onCancel: leave, mask: { closable: false } }}
      submitter={{ render: () => <div className={styles.buttons}>{buttons(leave)}</div> }}
    >
      {/* However long the form, its buttons stay in sight. */}
      <div className={`${styles.stack} ${styles.dialog}`}>{children}</div>
    </ProModalForm>
  );
}
