import { ComingScreen } from '@/components/ComingScreen';

export default function UserApiKey() {
  return <ComingScreen title="API 密钥" promise="这里将保存交易所密钥、测试连接并检查权限；密钥只写入，从不回显。" />;
}
