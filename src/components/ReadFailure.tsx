import { Button } from 'antd';
import type { CallState } from '@/services/useCall';

/** What a choice shows whose options could not be read: why, and a way to try again. */
export const readFailure = (
  { data, error, retry }: Pick<CallState<unknown>, 'data' | 'error' | 'retry'>,
  what: string,
) =>
  data === undefined &&
  error && {
    status: 'error' as const,
    placeholder: `${what}读取失败`,
    notFoundContent: (
      <span role="alert">
        读取失败：{error.message}
        <Button type="link" size="small" onClick={() => void retry()}>
          重试
        </Button>
      </span>
    ),
  };
