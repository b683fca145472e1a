import type { Webhook, WebhookResult } from '#contract/notification';
import { DateTime } from '@/components/DateTime';
import { toast } from '@/components/toast';

/** How the last delivery ended, and what waits. */
export const DeliveryState = ({ last, waiting }: Pick<Webhook, 'last' | 'waiting'>) => (
  <>
    {last === null ? (
      '还没有推送'
    ) : (
      <>
        <DateTime value={last.at} />，{last.ok ? '成功' : '失败'}（{last.detail}）
      </>
    )}
    {waiting > 0 && `，${waiting} 条等待重试`}
  </>
);

/** Says how a trial ended. */
export function tellResult({ ok, detail }: WebhookResult): void {
  if (ok) toast.success(`已送达（${detail}）`);
  else toast.error(`没有送达：${detail}`);
}
