import { ComingScreen } from '@/components/ComingScreen';

export default function StrategyOverview() {
  return (
    <ComingScreen title="策略总览" promise="这里将列出全部策略的状态、资金、敞口与盈亏，并可启动、暂停或停止它们。" />
  );
}
