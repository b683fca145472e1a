import { Modal, type ModalFuncProps } from 'antd';
import { createContext, type ReactNode, Suspense } from 'react';
import { onSession } from '@/services/sessionSignal';
import { Waiting } from './Waiting';

// They stand outside of the screens: what one account has opened would stay, and go on reading, when it is gone.
onSession(() => Modal.destroyAll());

/** Whether this is drawn in a dialog, which is outside the router: a way to another screen opens beside it. */
export const InDialog = createContext(false);

/**
 * A question that only its own buttons answer: a stray key or click beside it decides nothing. What it asks may be loaded
 * late. @param width px, where there is room
 */
export function openDialog(
  title: string,
  width: number,
  content: (close: () => void) => ReactNode,
  more: Pick<ModalFuncProps, 'maskClosable' | 'afterClose'> = {},
): void {
  const dialog = Modal.confirm({
    title,
    icon: null,
    footer: null,
    closable: true,
    focusable: { autoFocusButton: null },
    width: `min(${width}px, calc(100vw - 32px))`,
    ...more,
    content: (
      <InDialog value={true}>
        <Suspense fallback={<Waiting />}>{content(() => dialog.destroy())}</Suspense>
      </InDialog>
    ),
  });
}
