import { Alert, Tag } from 'antd';
import type { ApiKeyRow, KeyNeed } from '#contract/apiKey';
import { DateTime } from '@/components/DateTime';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';
import { KeyHeldView } from './KeyHeldView';
import { accountLabel, RIGHT_LABEL, VERDICT } from './keyLabels';
import { ReportView } from './ReportView';

const NEED_COLUMNS: Column<KeyNeed>[] = [
  { key: 'right', title: '权限', width: 56, render: ({ right }) => RIGHT_LABEL[right] },
  { key: 'has', title: '密钥', width: 56, render: ({ has }) => (has === null ? '未知' : has ? '有' : '没有') },
  {
    key: 'neededBy',
    title: '需要它的',
    width: 120,
    render: ({ neededBy }) => (neededBy.length === 0 ? <span className="soft">无</span> : neededBy.join('、')),
  },
  {
    key: 'verdict',
    title: '对照',
    width: 112,
    render: ({ verdict }) => <Tag color={VERDICT[verdict].color}>{VERDICT[verdict].label}</Tag>,
  },
];

/** What was seen of it since it was stored: refusals one after another, and rights that its exchange has changed. */
function Watched({ row: { failures, failingSince, rightsBefore, rightsChangedAt } }: { row: ApiKeyRow }) {
  if (failingSince === null && rightsChangedAt === null) return null;
  return (
    <div className={styles.watched}>
      {failingSince !== null && (
        <Alert
          type="error"
          showIcon
          title={
            <>
              交易所已连续 {failures} 次拒绝，自 <DateTime value={failingSince} />
            </>
          }
        />
      )}
      {rightsChangedAt !== null && (
        <Alert
          type="warning"
          showIcon
          title={
            <>
              <DateTime value={rightsChangedAt} /> 发现交易所改变了权限，此前为
              {rightsBefore?.map((right) => RIGHT_LABEL[right]).join('、')}
            </>
          }
        />
      )}
    </div>
  );
}

/** A key in full: what it may against what is needed, who uses it, and what the last test said. */
export function KeyDetail({ row }: { row: ApiKeyRow }) {
  return (
    <div className={styles.detail}>
      <section aria-label={`${row.name} 的权限对照`}>
        <h3>所需与所有</h3>
        <PlainTable label="权限对照" rowKey="right" columns={NEED_COLUMNS} rows={row.needs} pagination={false} />
        <p className="soft">
          {row.uses.length === 0
            ? '没有交易账户使用它；在下方“交易账户”里指定。'
            : `使用它的账户：${row.uses.map(accountLabel).join('、')}`}
        </p>
      </section>
      <Watched row={row} />
      {row.report ? (
        <ReportView report={row.report} />
      ) : (
        <p className="soft">还没有测试：没有跟随它的交易所，不知道它的权限。</p>
      )}
      {row.state === 'ready' && <KeyHeldView row={row} />}
    </div>
  );
}
