import { ComingScreen } from '@/components/ComingScreen';

export default function StrategyFundingRate() {
  return (
    <ComingScreen title="资金费率" promise="这里将按净年化与回本时间排列单所的资金费套利机会，并管理每一轮套利。" />
  );
}
