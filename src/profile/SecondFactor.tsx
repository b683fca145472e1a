import { Button, Input, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { secondFactor } from '#contract/secondFactor';
import { DateTime } from '@/components/DateTime';
import { ErrorState } from '@/components/ErrorState';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { FactorSetup } from './FactorSetup';
import styles from './profile.module.css';
import { RecoveryCodes } from './RecoveryCodes';

/** Fewer are soon none. */
const FEW = 3;

type Open = { what: 'setup' | 'renew' | 'remove' } | { what: 'codes'; codes: readonly string[] };

/** Whether one's login asks for a second step, and how to change that. */
export function SecondFactor() {
  const { data, error, mutate, retry } = useCall(secondFactor.state, {});
  const [open, setOpen] = useState<Open | null>(null);
  if (error && data === undefined) return <ErrorState error={error} onRetry={retry} />;
  if (data === undefined) return <Skeleton active />;
  const { enabledAt, recoveryLeft, isDamaged } = data;
  const close = () => {
    setOpen(null);
    void mutate();
  };
  const showCodes = (codes: readonly string[]) => setOpen({ what: 'codes', codes });
  return (
    <>
      {enabledAt === null ? (
        <div className={styles.line}>
          <span className="soft">登录时除密码外还要认证器上的 6 位数字</span>
          <Button type="primary" onClick={() => setOpen({ what: 'setup' })}>
            开启两步验证
          </Button>
        </div>
      ) : (
        <div className={styles.stack}>
          <span>
            {isDamaged ? <Tag color="error">已损坏</Tag> : <Tag color="success">已开启</Tag>}自{' '}
            <DateTime value={enabledAt} />
            ，恢复码还剩 {recoveryLeft} 个{recoveryLeft <= FEW && '，请换一组新的'}
          </span>
          {isDamaged && <span>保存的密钥读不出来，认证器的验证码无法核对：请用一个恢复码关闭两步验证，再重新开启</span>}
          <div className={styles.line}>
            <Button onClick={() => setOpen({ what: 'renew' })}>换一组恢复码</Button>
            <Button danger onClick={() => setOpen({ what: 'remove' })}>
              关闭两步验证
            </Button>
          </div>
        </div>
      )}
      {open?.what === 'setup' && <FactorSetup onCodes={showCodes} onClose={close} />}
      {(open?.what === 'renew' || open?.what === 'remove') && (
        <ProofDialog what={open.what} onCodes={showCodes} onClose={close} />
      )}
      {open?.what === 'codes' && <RecoveryCodes codes={open.codes} onClose={close} />}
    </>
  );
}

const TITLE = { renew: '换一组恢复码', remove: '关闭两步验证' } as const;
const TEXT = {
  renew: '旧的恢复码随即失效，新的只显示一次。',
  remove: '此后登录只要密码；认证器里的条目可以删除。',
} as const;

interface ProofDialogProps {
  what: keyof typeof TITLE;
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}

const rules = rulesOf(secondFactor.remove.body!);

/** Changes the second factor of who knows the password and has a code. */
function ProofDialog({ what, onCodes, onClose }: ProofDialogProps) {
  return (
    <FormDialog
      title={TITLE[what]}
      initialValues={{ password: '', code: '' }}
      okText={TITLE[what]}
      danger={what === 'remove'}
      save={async (body, options) => {
        if (what === 'renew') return onCodes((await call(secondFactor.renew, { body }, options)).recoveryCodes);
        await call(secondFactor.remove, { body }, options);
        toast.success('已关闭两步验证');
        onClose();
      }}
      onClose={onClose}
    >
      <p>{TEXT[what]}</p>
      <Field name="password" label="当前密码" rules={rules.password}>
        <Input.Password autoComplete="current-password" maxLength={200} />
      </Field>
      <Field name="code" label="验证码" extra="认证器上的 6 位数字，或一个恢复码" rules={rules.code}>
        <Input autoComplete="one-time-code" maxLength={32} />
      </Field>
    </FormDialog>
  );
}
