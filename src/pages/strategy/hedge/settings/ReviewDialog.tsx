import { Alert, Modal } from 'antd';
import { Suspense } from 'react';
import { account } from '#contract/account';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { Amount } from '@/components/Amount';
import { late } from '@/components/late';
import { Waiting } from '@/components/Waiting';
import { ChangesTable } from '@/form/ChangesTable';
import { isRaised, RESUME, RESUME_CHOICE } from '@/opening/resumeChoice';
import { useCall } from '@/services/useCall';
import styles from '../index.module.css';
import { marginNeeded, settingsForm } from './settingsForm';
import type { Saving } from './useSettingsSave';

const OpeningBody = late(() => import('@/opening/OpeningBody'));

interface ReviewDialogProps {
  /** `null` for the first save. */
  before: HedgeSettings | null;
  after: HedgeSettings;
  /** The desk has tripped: a limit that is raised may let it go on. */
  tripped: boolean;
  /** That is saved over. */
  version: number;
  saving: boolean;
  refusal: string | undefined;
  onBack: () => void;
  /** Whether it was saved. */
  onSave: (chosen?: Omit<Saving, 'resume'>, resume?: boolean) => Promise<boolean>;
}

/** What a save would change, and the margin that it asks for. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { before, after, tripped, version, saving, refusal, onBack, onSave } = props;
  const count = before ? settingsForm.changed(before, after).length : 0;
  const review = (
    <div className={`stack ${styles.stack}`}>
      <ChangesTable form={settingsForm} before={before} after={after} />
      <Margin after={after} />
      {before && <p className="soft">进行中的对冲单保持开仓时的参数，新参数用于之后的对冲单。</p>}
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </div>
  );
  if (before === null)
    return (
      <Modal
        open
        title="确认首次配置"
        okText="确认保存"
        cancelText="返回修改"
        confirmLoading={saving}
        onOk={() => void onSave()}
        onCancel={onBack}
      >
        {review}
      </Modal>
    );
  return (
    <Modal open title={`确认 ${count} 项修改`} width="min(760px, calc(100vw - 32px))" footer={null} onCancel={onBack}>
      <Suspense fallback={<Waiting />}>
        <OpeningBody
          action={{
            verb: '确认保存',
            back: '返回修改',
            subject: '对冲配置',
            consequence: review,
            act: 'save',
            choose: tripped && isRaised(before.dailyLossLimit, after.dailyLossLimit) ? RESUME_CHOICE : undefined,
            input: (picked) => ({ ...after, version, ...(picked.includes(RESUME) && { resume: true }) }),
            run: (chosen, picked) => onSave(chosen, picked.includes(RESUME)),
          }}
          onClose={onBack}
        />
      </Suspense>
    </Modal>
  );
}

function Margin({ after }: Pick<ReviewDialogProps, 'after'>) {
  const { data, error } = useCall(account.state, { query: { mode: 'paper' } });
  const needed = marginNeeded(after);
  const equity = data?.account?.equity;
  const known = equity === null || equity === undefined ? null : Number(equity);
  return (
    <>
      <p>
        全部建满需要保证金 <Amount value={needed} unit="USDT" />
        （每腿名义 × 2 × 最大并行对数 / 杠杆），账户权益{' '}
        <Amount value={known} unit="USDT" reason={error?.message ?? '账户还没有开立'} />。
      </p>
      {known !== null && needed > known && (
        <Alert type="warning" showIcon title="保证金超过账户权益：建不满最大并行对数，超出的会等待保证金。" />
      )}
    </>
  );
}
