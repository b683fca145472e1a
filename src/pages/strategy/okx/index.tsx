import { ComingScreen } from '@/components/ComingScreen';

export default function StrategyOkx() {
  return (
    <ComingScreen title="交易所套利" promise="这里将监控交易所之间的可成交价差、资金与转账路径，并执行搬砖套利。" />
  );
}
