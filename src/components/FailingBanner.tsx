import { Alert } from 'antd';
import type { account } from '#contract/account';
import type { DataOf } from '#contract/endpoint';
import { DateTime } from './DateTime';

/** That nothing of the user's is booked, opened, closed or stopped any more. */
export default function FailingBanner({ since, what }: NonNullable<DataOf<typeof account.failing>['failing']>) {
  return (
    <Alert
      banner
      type="error"
      title={
        <>
          账户处理失败：自 <DateTime value={since} /> 起不记账，不开仓也不平仓，<b>止损不执行</b>
          。请联系管理员，恢复后此条消失。
        </>
      }
      action={
        <details>
          <summary>详情</summary>
          {what}
        </details>
      }
    />
  );
}
