import { Alert, Modal } from 'antd';
import { account } from '#contract/account';
import type { HedgeSettings } from '#contract/hedgeConfig';
import { Amount } from '@/components/Amount';
import { ChangesTable } from '@/form/ChangesTable';
import { useCall } from '@/services/useCall';
import styles from '../index.module.css';
import { marginNeeded, settingsForm } from './settingsForm';

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
  const count = before ? settingsForm.changed(before, after).length : 0;
  return (
    <Modal
      open
      title={before ? `确认 ${count} 项修改` : '确认首次配置'}
      okText="确认保存"
      cancelText="返回修改"
      confirmLoading={saving}
      onOk={onSave}
      onCancel={onBack}
    >
      <div className={styles.stack}>
        <ChangesTable form={settingsForm} before={before} after={after} />
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
