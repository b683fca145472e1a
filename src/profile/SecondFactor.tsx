import { Button, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { secondFactor } from '#contract/secondFactor';
import { DateTime } from '@/components/DateTime';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import { FactorSetup } from './FactorSetup';
import { ProofDialog } from './ProofDialog';
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
