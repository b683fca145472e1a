import { Alert, Modal, Typography } from 'antd';
import styles from './profile.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Codes for the day the authenticator is lost, shown this once. */
export const RecoveryCodes = ({ codes, onClose }: RecoveryCodesProps) => (
  <Modal
    open
    title="恢复码"
    okText="我已保存"
    footer={(_, { OkBtn }) => <OkBtn />}
    onOk={onClose}
    onCancel={onClose}
    mask={{ closable: false }}
  >
    <div className={styles.stack}>
      <Alert
        type="warning"
        showIcon
        title="只显示这一次。请保存在认证器之外的地方：没有认证器时，每个可以代替验证码用一次。"
      />
      <ul className={styles.codes} aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Typography.Text copyable={{ text: codes.join('\n'), tooltips: ['复制', '已复制'] }}>复制全部</Typography.Text>
    </div>
  </Modal>
);
