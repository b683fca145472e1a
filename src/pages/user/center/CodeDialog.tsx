import { Alert, Modal, Typography } from 'antd';
import type { OneTimeCode } from '#contract/userAdmin';
import { DateTime } from '@/components/DateTime';
import styles from './index.module.css';

interface CodeDialogProps {
  code: OneTimeCode;
  onClose: () => void;
}

/** The part after # never reaches a server, nor its logs. */
const linkOf = ({ username, code }: OneTimeCode): string =>
  `${window.location.origin}/login#${new URLSearchParams({ user: username, code })}`;

/** A one-time code, shown this once, as a code and as a link. */
export function CodeDialog({ code, onClose }: CodeDialogProps) {
  return (
    <Modal
      open
      title={`${code.username} 的一次性代码`}
      okText="我已转交"
      footer={(_, { OkBtn }) => <OkBtn />}
      onOk={onClose}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Alert type="warning" showIcon title="只显示这一次，关闭后不能再看；请用可靠的方式转交本人。" />
      <p>
        有效期至 <DateTime value={code.expiresAt} />
        。在登录页选择“使用一次性代码”，或打开下面的链接，设置新密码后即可登录；用过即失效。
      </p>
      <Typography.Text className={styles.code} copyable={{ text: code.code, tooltips: ['复制代码', '已复制'] }}>
        {code.code}
      </Typography.Text>
      <p>
        <Typography.Text copyable={{ text: linkOf(code), tooltips: ['复制链接', '已复制'] }}>
          设置密码的链接
        </Typography.Text>
      </p>
    </Modal>
  );
}
