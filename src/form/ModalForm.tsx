import { ModalForm as ProModalForm } from '@ant-design/pro-components';
import type { ReactNode } from 'react';
import styles from './form.module.css';
import { type OverlayFormProps, useOverlayForm } from './useOverlayForm';

interface ModalFormProps<V extends object> extends OverlayFormProps<V> {
  width?: number;
  /** The field that is typed in first. */
  first?: keyof V & string;
  /** The buttons; the first of them leaves. */
  buttons: (leave: () => void) => ReactNode;
  children: ReactNode;
}

/** A form in a dialog, which is open until it is closed. */
export function ModalForm<V extends object>({
  title,
  width = 520,
  first,
  buttons,
  children,
  ...own
}: ModalFormProps<V>) {
  const { form, leave, offer } = useOverlayForm({ title, ...own });
  return (
    <ProModalForm<V>
      {...form}
      open
      title={title}
      width={`min(${width}px, calc(100vw - 32px))`}
      modalProps={{
        onCancel: leave,
        mask: { closable: false },
        // The dialog takes the focus for itself while it opens.
        afterOpenChange: (open) => open && first && own.form.getFieldInstance(first)?.focus(),
      }}
      submitter={{ render: () => <div className={styles.buttons}>{buttons(leave)}</div> }}
    >
      {/* However long the form, its buttons stay in sight. */}
      <div className={`${styles.stack} ${styles.dialog}`}>
        {offer}
        {children}
      </div>
    </ProModalForm>
  );
}
