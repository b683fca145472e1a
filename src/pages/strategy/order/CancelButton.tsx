import { Button, Tooltip } from 'antd';
import { orderAllowsCancel } from '#contract/lifecycle';
import type { OrderRow } from '#contract/order';
import { useRefresh } from './orderContext';

function whyNot({ state, cancelAskedAt }: OrderRow): string | undefined {
  if (!orderAllowsCancel(state)) return '只有挂单中的委托可以撤销';
  return cancelAskedAt === null ? undefined : '已请求撤单，等待交易所确认';
}

export const mayCancel = (row: OrderRow): boolean => whyNot(row) === undefined;

/** Cancels one order, or says why that cannot be done. */
export function CancelButton({ row }: { row: OrderRow }) {
  const refresh = useRefresh();
  const reason = whyNot(row);
  return (
    <Tooltip title={reason}>
      <Button
        size="small"
        danger
        disabled={reason !== undefined}
        onClick={async () => (await import('./cancelActions')).confirmCancel([row], refresh)}
      >
        撤单
      </Button>
    </Tooltip>
  );
}
