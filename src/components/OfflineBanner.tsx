import { Button } from 'antd';
import { useLayoutEffect } from 'react';
import { reconnect } from '@/services/offline';
import { ActionAlert } from './ActionAlert';
import { formatDateTime } from './DateTime';

/** That the server is not heard any more; while it stands, figures are dimmed and nothing that moves money can be done. */
export function OfflineBanner({ since }: { since: number }) {
  useLayoutEffect(() => {
    document.documentElement.dataset.offline = '';
    return () => {
      delete document.documentElement.dataset.offline;
    };
  }, []);
  const from = since > 0 ? `自 ${formatDateTime(since, 'second').slice(11)} 起` : '';
  return (
    <ActionAlert
      banner
      type="error"
      title={
        <>
          <b>离线</b>：{from}收不到服务器的消息，页面上的数字已过时，涉及资金的操作已停用。正在自动重连。
        </>
      }
      action={
        <Button size="small" onClick={reconnect}>
          立即重连
        </Button>
      }
    />
  );
}
