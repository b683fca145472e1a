import { StopOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { OFFLINE_REASON, useOfflineSince } from '@/services/offline';
import { useHeld } from './useHeld';

/** In the head of every screen: closes all that the user holds, whatever its kind. A sign alone on a phone. */
export function FlattenButton() {
  const { data, mutate } = useHeld();
  const none = data?.deals === 0;
  const isOffline = useOfflineSince() !== undefined;
  const nothing = none ? '没有进行中的交易单' : undefined;
  const why = isOffline ? OFFLINE_REASON : nothing;
  const ask = () =>
    void import('./confirmFlatten').then(({ confirmFlatten }) =>
      confirmFlatten({ aim: {}, subject: '我的全部交易单', done: () => void mutate() }),
    );
  return (
    <Tooltip title={why}>
      <Button
        danger
        size="small"
        icon={<StopOutlined />}
        className="flatten"
        disabled={why !== undefined}
        onClick={ask}
        aria-label="全部平仓"
      >
        全部平仓
      </Button>
    </Tooltip>
  );
}
