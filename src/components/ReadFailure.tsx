import { Button } from 'antd';
import type { CallError } from '@/services/CallError';

interface ReadFailureProps {
  error: Pick<CallError, 'message'>;
  retry: () => Promise<unknown>;
}

/** In the list of a choice whose options could not be read: why, and a way to try again. */
export function ReadFailure({ error, retry }: ReadFailureProps) {
  return (
    <span role="alert">
      读取失败：{error.message}
      <Button type="link" size="small" onClick={() => void retry()}>
        重试
      </Button>
    </span>
  );
}
