import { Modal } from 'antd';
import { createContext, type ReactNode, Suspense } from 'react';
import { Waiting } from './Waiting';

/** Whether this is drawn in a dialog, which is outside the router: a way to another screen opens beside it. */
export const InDialog = createContext(false);

/**
 * A question that only its own buttons answer: a stray key or click beside it decides nothing. What it asks may be loaded
 * late. @param width px, where there is room
 */
export function openDialog(title: string, width: number, content: (close: () => void) => ReactNode): void {
  const dialog = Modal.confirm({
    title,
    icon: null,
    footer: null,
    closable: true,
    focusable: { autoFocusButton: null },
    width: `min(${width}px, calc(100vw - 32px))`,
    content: (
      <InDialog value={true}>
        <Suspense fallback={<Waiting />}>{content(() => dialog.destroy())}</Suspense>
      </InDialog>
    ),
  });
}
