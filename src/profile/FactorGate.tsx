import { Button } from 'antd';
import { useState } from 'react';
import { logout } from '@/components/logout';
import { SignInFrame } from '@/components/SignInFrame';
import { signalSession } from '@/services/sessionSignal';
import { FactorSetup } from './FactorSetup';
import styles from './profile.module.css';
import { RecoveryCodes } from './RecoveryCodes';

/** All that a master sees who must have a second factor and has none: the way to one. */
export default function FactorGate({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <SignInFrame title="请开启两步验证">
      <div className={styles.stack}>
        <p>
          已登录为 <strong>{name}</strong>。管理员须先开启两步验证，才能使用控制台；正在运行的策略不受影响。
        </p>
        <p className="soft">
          需要一个认证器应用（如 Google Authenticator、1Password）：扫码，输入一次验证码，并保存恢复码。
        </p>
        <Button type="primary" size="large" block onClick={() => setOpen(true)}>
          开启两步验证
        </Button>
        <Button type="link" onClick={() => void logout().catch(() => {})}>
          退出登录
        </Button>
      </div>
      {open && codes === null && <FactorSetup onCodes={setCodes} onClose={() => setOpen(false)} />}
      {/* The other tabs of this browser may go on, too. */}
      {codes && <RecoveryCodes codes={codes} onClose={() => signalSession('signedIn', true)} />}
    </SignInFrame>
  );
}
