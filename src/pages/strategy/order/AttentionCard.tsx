import { Alert, Button } from 'antd';
import { type AttentionRow, hedge } from '#contract/hedge';
import type { Topic } from '#contract/stream';
import { useNarrow } from '@/components/useNarrow';
import { useCall } from '@/services/useCall';
import { useChanges } from '@/services/useChanges';
import { PlainTable } from '@/table/PlainTable';
import { AttentionCards } from './AttentionCards';
import styles from './attention.module.css';
import { attentionColumns } from './attentionColumns';
import page from './index.module.css';

/** What nobody tells of, such as a user that was blocked, is seen within this time. */
const REFRESH_MS = 30_000;
const TOPICS: Topic[] = ['hedge', 'order:all', 'notice:all'];
const SCROLL = { x: 'max-content' } as const;
const PAGING = { hideOnSinglePage: true, pageSize: 10, showSizeChanger: false } as const;

/** Everybody's hedges that need a person; not there while none does. */
export function AttentionCard() {
  const { data, error, isLoading, updatedAt, mutate, retry } = useCall(
    hedge.attention,
    {},
    { refreshInterval: REFRESH_MS },
  );
  useChanges(TOPICS, () => void mutate());
  const narrow = useNarrow();
  const refresh = () => void mutate();
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
    <section className={`${page.card} ${styles.attention}`} aria-label="需要处理">
      <h2>
        需要处理（{data.total}）<span className="soft">所有用户的对冲单中已冻结、方向有误，或用户已停用的</span>
      </h2>
      {narrow ? (
        <AttentionCards rows={data.list} at={at} refresh={refresh} />
      ) : (
        <PlainTable<AttentionRow>
          rowKey="id"
          columns={attentionColumns(at, refresh)}
          rows={data.list}
          scroll={SCROLL}
          pagination={PAGING}
        />
      )}
    </section>
  );
}
