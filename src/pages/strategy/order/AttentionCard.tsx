import { Alert, Button } from 'antd';
import { Suspense, useCallback, useRef } from 'react';
import { attention } from '#contract/kinds/hedge/attention';
import type { Topic } from '#contract/stream';
import { late } from '@/components/late';
import { useCall } from '@/services/useCall';
import { useChanges } from '@/services/useChanges';

const AttentionList = late(() => import('./AttentionList'));

/** What nobody tells of, such as a user that was blocked, is seen within this time. */
const REFRESH_MS = 30_000;
const TOPICS: Topic[] = ['hedge', 'order:all', 'notice:all'];

/** Everybody's hedges that need a person; not there while none does. */
export function AttentionCard() {
  const { data, error, isLoading, updatedAt, mutate, retry } = useCall(attention, {}, { refreshInterval: REFRESH_MS });
  const latest = useRef(mutate);
  latest.current = mutate;
  const refresh = useCallback(() => void latest.current(), []);
  useChanges(TOPICS, refresh);
  if (data === undefined && error) {
    const again = (
      <Button size="small" loading={isLoading} onClick={() => void retry()}>
        重试
      </Button>
    );
    return <Alert type="error" showIcon title={`需要处理的对冲单读取失败：${error.message}`} action={again} />;
  }
  if (data === undefined || data.list.length === 0) return null;
  const at = updatedAt ?? Date.now();
  return (
    <Suspense fallback={null}>
      <AttentionList rows={data.list} total={data.total} at={at} refresh={refresh} />
    </Suspense>
  );
}
