import { Alert, Modal } from 'antd';
import type { ReactNode } from 'react';
import { account } from '#contract/account';
import type { HedgeSettings } from '#contract/hedgeConfig';
import { Amount } from '@/components/Amount';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import styles from '../index.module.css';
import { marginNeeded, settingsForm } from './settingsForm';

type SettingName = keyof HedgeSettings;

interface ReviewDialogProps {
  /** `null` for the first save. */
  before: HedgeSettings | null;
  after: HedgeSettings;
  saving: boolean;
  refusal: string | undefined;
  onBack: () => void;
  onSave: () => void;
}

/** What a save would change, and the margin that it asks for. */
export function ReviewDialog({ before, after, saving, refusal, onBack, onSave }: ReviewDialogProps) {
  const rows = (before ? settingsForm.changed(before, after) : settingsForm.names).map((name) => ({ name }));
  const column = (title: string, render: (name: SettingName) => ReactNode): Column<{ name: SettingName }> => ({
    key: title,
    title,
    width: 110,
    render: ({ name }) => render(name),
  });
  const columns = [
    column('参数', settingsForm.label),
    ...(before ? [column('修改前', (name) => settingsForm.text(before, name))] : []),
    column(before ? '修改后' : '取值', (name) => <strong>{settingsForm.text(after, name)}</strong>),
  ];
  return (
    <Modal
      open
      title={before ? `确认 ${rows.length} 项修改` : '确认首次配置'}
      okText="确认保存"
      cancelText="返回修改"
      confirmLoading={saving}
      onOk={onSave}
      onCancel={onBack}
    >
      <div className={styles.stack}>
        <PlainTable label="修改前后" rowKey="name" columns={columns} rows={rows} maxHeight={320} />
        <Margin after={after} />
        {before && <p className="soft">进行中的对冲单保持开仓时的参数，新参数用于之后的对冲单。</p>}
        {refusal && <Alert type="error" showIcon title={refusal} />}
      </div>
    </Modal>
  );
}

function Margin({ after }: Pick<ReviewDialogProps, 'after'>) {
  const { data, error } = useCall(account.state, {});
  const needed = marginNeeded(after);
  const equity = data?.account?.equity;
  const known = equity === null || equity === undefined ? null : Number(equity);
  return (
    <>
      <p>
        全部建满需要保证金 <Amount value={needed} unit="USDT" />
        （单边名义 × 2 × 最大并行对数 / 杠杆），账户权益{' '}
        <Amount value={known} unit="USDT" reason={error?.message ?? '账户还没有开立'} />。
      </p>
      {known !== null && needed > known && (
        <Alert type="warning" showIcon title="保证金超过账户权益：建不满最大并行对数，超出的会等待保证金。" />
      )}
    </>
  );
}
