import { Alert, Button, Input } from 'antd';
import { toast } from '@/components/toast';

/** A secret that is shown this once. */
export function Secret({ secret }: { secret: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast.success('已复制');
    } catch {
      // Without TLS a page may not write to the clipboard.
      toast.error('无法写入剪贴板，请手动复制');
    }
  };
  return (
    <Alert
      type="warning"
      showIcon
      title="签名密钥只显示这一次，请立即保存"
      description={<Input readOnly value={secret} aria-label="签名密钥" />}
      action={<Button onClick={() => void copy()}>复制</Button>}
    />
  );
}
