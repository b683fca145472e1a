import { Input, QRCode, Typography } from 'antd';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint';
import { secondFactor } from '#contract/secondFactor';
import { DateTime } from '@/components/DateTime';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import styles from './profile.module.css';

interface FactorSetupProps {
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}

interface Values {
  password: string;
  code: string;
}

const passwordRules = rulesOf(secondFactor.begin.body!).password;
const codeRules = rulesOf(secondFactor.confirm.body!).code;

/** Switches the second factor on: the password, the authenticator, and a first code from it. */
export function FactorSetup({ onCodes, onClose }: FactorSetupProps) {
  const [begun, setBegun] = useState<DataOf<typeof secondFactor.begin> | null>(null);
  return (
    <FormDialog<Values>
      title="开启两步验证"
      first="password"
      initialValues={{ password: '', code: '' }}
      okText={begun === null ? '下一步' : '确认并开启'}
      save={async ({ password, code }, options) => {
        if (begun === null) setBegun(await call(secondFactor.begin, { body: { password } }, options));
        else onCodes((await call(secondFactor.confirm, { body: { code: code.trim() } }, options)).recoveryCodes);
      }}
      onClose={onClose}
    >
      {begun === null ? (
        <Field name="password" label="当前密码" rules={passwordRules}>
          <Input.Password autoComplete="current-password" maxLength={200} />
        </Field>
      ) : (
        <>
          <div className={styles.qr}>
            {/* Dark on light whatever the theme: not every camera reads the other way round. */}
            <QRCode value={begun.uri} size={180} color="#000" bgColor="#fff" aria-label="两步验证二维码" />
            <div>
              <p>用认证器（如 Google Authenticator、1Password）扫码，或手工输入密钥：</p>
              <Typography.Text code copyable={{ text: begun.secret }}>
                {begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}
              </Typography.Text>
              <p className="soft">
                只显示这一次，
                <DateTime value={begun.expiresAt} /> 前确认有效。
              </p>
            </div>
          </div>
          <Field name="code" label="验证码" extra="认证器上现在的 6 位数字；开启后其他设备要重新登录" rules={codeRules}>
            <Input inputMode="numeric" autoComplete="one-time-code" maxLength={7} autoFocus />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
