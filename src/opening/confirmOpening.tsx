import { Modal, Skeleton } from 'antd';
import { Suspense } from 'react';
import { late } from '@/components/late';
import type { OpeningAction } from './OpeningBody';

const OpeningBody = late(() => import('./OpeningBody'));

/**
 * Asks before something after which the engine may open more: shows what, with sums and costs, and lets it be chosen.
 * What would open has to be held; where nothing would, a click is enough.
 */
export function confirmOpening(action: OpeningAction): void {
  const close = () => dialog.destroy();
  const dialog = Modal.confirm({
    title: `${action.verb}：${action.subject}`,
    icon: null,
    footer: null,
    closable: true,
    focusable: { autoFocusButton: null },
    width: 'min(760px, calc(100vw - 32px))',
    content: (
      <Suspense fallback={<Skeleton active aria-label="加载中" />}>
        <OpeningBody action={action} onClose={close} />
      </Suspense>
    ),
  });
}
