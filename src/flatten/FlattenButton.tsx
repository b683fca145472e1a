import { StopOutlined } from '@ant-design/icons';
import { MoneyButton } from '@/components/MoneyButton';
import { useHeld } from './useHeld';

/** In the head of every screen: closes all that the user holds, whatever its kind. A sign alone on a phone. */
export function FlattenButton() {
  const { data, mutate } = useHeld();
  const ask = () =>
    void import('./confirmFlatten').then(({ confirmFlatten }) =>
      confirmFlatten({ aim: {}, subject: '我的全部交易单', done: () => void mutate() }),
    );
  return (
    <MoneyButton
      danger
      size="small"
      icon={<StopOutlined />}
      className="flatten"
      why={data?.deals === 0 ? '没有进行中的交易单' : undefined}
      onClick={ask}
      aria-label="全部平仓"
    >
      全部平仓
    </MoneyButton>
  );
}
