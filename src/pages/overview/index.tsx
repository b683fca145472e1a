import { ComingScreen } from '@/components/ComingScreen';

export default function Overview() {
  return (
    <ComingScreen title="账户总览" promise="这里将显示权益、盈亏、风险、资金费与持仓，数据来自你绑定的交易所账户。" />
  );
}
