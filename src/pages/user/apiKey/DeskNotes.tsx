import { Alert } from 'antd';
import type { KeyDesk } from '#contract/apiKey';
import { CopyId } from '@/components/CopyId';
import styles from './index.module.css';

/** Who tests keys here, the address to put on their whitelists, and why none can be stored. */
export function DeskNotes({ desk }: { desk: KeyDesk }) {
  const { closed, exchange } = desk;
  return (
    <>
      {closed !== null && <Alert type="error" showIcon title="现在不能保存密钥" description={closed} />}
      {exchange === null && (
        <Alert
          type="warning"
          showIcon
          title="真实交易所尚未接入：密钥可以加密保存，但不能测试，权限未知；接入之前没有任何策略会用到它。"
        />
      )}
      {exchange?.simulated && (
        <Alert
          type="info"
          showIcon
          title="演示环境：由模拟交易所回答，不连接真实交易所。请不要填写真实的密钥，表单里有可以试的例子。"
        />
      )}
      {exchange !== null && exchange.outboundIp === null && (
        <div className={styles.ip}>出口 IP 未知：本服务不向外询问自己的地址，请在服务器上查看后填入 IP 白名单。</div>
      )}
      {exchange?.outboundIp && (
        <div className={styles.ip}>
          出口 IP{exchange.simulated && '（模拟）'}，填入交易所的 IP 白名单：
          <CopyId id={exchange.outboundIp} />
        </div>
      )}
    </>
  );
}
