import { ComingScreen } from '@/components/ComingScreen';

export default function StrategyHedge() {
  return <ComingScreen title="多空对冲" promise="这里将设置对冲参数与配对，并查看每一笔对冲的两腿、资金费与盈亏。" />;
}
