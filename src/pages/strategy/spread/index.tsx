import { ComingScreen } from '@/components/ComingScreen';

export default function StrategySpread() {
  return (
    <ComingScreen title="期货价差" promise="这里将比较期现与跨期合约的基差、净年化与盘口深度，并管理已开的价差仓位。" />
  );
}
