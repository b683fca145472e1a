import { Tag, Tooltip } from 'antd';
import type { OrderState } from '#contract/lifecycle';
import type { OrderRow } from '#contract/order';
import { ORDER_STATE_LABEL } from '@/components/labels';

const COLOR: Record<OrderState, string> = {
  registered: 'processing',
  open: 'processing',
  filled: 'success',
  cancelled: 'default',
  expired: 'default',
  refused: 'error',
  inDoubt: 'warning',
  lost: 'error',
};

/** State of an order; that it is being cancelled. */
export function OrderStateTag({ row: { state, cancelAskedAt } }: { row: OrderRow }) {
  return (
    <>
      <Tag color={COLOR[state]}>{ORDER_STATE_LABEL[state]}</Tag>
      {state === 'open' && cancelAskedAt !== null && (
        <Tooltip title="已请求撤单，等待交易所确认">
          <Tag>撤销中</Tag>
        </Tooltip>
      )}
    </>
  );
}
