import { Tag } from 'antd';
import { type AccountState, MARGIN_DANGER, MARGIN_WARNING } from '#contract/account';
import { Amount } from '@/components/Amount';
import { LiquidationDistance } from '@/components/LiquidationDistance';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import type { AccountTile } from './accountTile';
import { venueReason } from './reasons';

const FLAT = '没有持仓';

function MarginTag({ ratio }: { ratio: number | null }) {
  if (ratio === null || ratio < MARGIN_WARNING) return null;
  return ratio >= MARGIN_DANGER ? <Tag color="error">危险</Tag> : <Tag color="warning">警戒</Tag>;
}

/** How much is at stake, and how near the end is. */
export function riskTiles(account: AccountState): AccountTile[] {
  const { marginRatio, leverage, net, neutrality, betaExposure, withoutBeta, nearest, largest } = account.risk;
  const reason = venueReason(account, FLAT);
  const noBeta = withoutBeta.length > 0 ? `没有 30 日 beta：${withoutBeta.join('、')}` : reason;
  const flat = account.positions?.length === 0;
  return [
    {
      label: '保证金率',
      first: true,
      formula: '维持保证金 / 保证金余额（F23）；60 % 警戒，80 % 危险，100 % 强平',
      figure: (
        <>
          <Percent value={marginRatio} reason={venueReason(account, '保证金余额不为正')} />{' '}
          <MarginTag ratio={marginRatio} />
        </>
      ),
    },
    {
      label: '有效杠杆',
      formula: 'Σ|名义| / 权益',
      figure: <Amount value={leverage} unit="倍" reason={reason} />,
    },
    {
      label: '净敞口',
      first: true,
      formula: 'Σ 方向 × 数量 × 标记价（F10）；按持仓逐个计，两腿之间的基差也在内',
      figure: <Amount value={net} unit="USDT" signed reason={reason} />,
    },
    {
      label: '中性度',
      formula: '净敞口 / 总敞口（F10）；0 为中性',
      figure: flat ? null : <Percent value={neutrality} signed reason={reason} />,
    },
    {
      label: 'Beta 敞口（BTC）',
      formula: 'Σ 净名义 × beta（F17）',
      window: 'beta：近 30 个日对数收益',
      figure: <Amount value={betaExposure} unit="USDT" signed reason={noBeta} />,
    },
    {
      label: '最近强平',
      first: true,
      formula: '|标记价 − 强平价| / 标记价（F23）；强平价为仅该合约变动时保证金率到 1 的价格',
      figure: (
        <LiquidationDistance
          value={nearest?.distance}
          reason={flat ? FLAT : venueReason(account, '单一合约变动不会强平')}
        />
      ),
      detail: nearest && (
        <>
          {nearest.symbol} @ <Price value={nearest.price} />
        </>
      ),
    },
    {
      label: '最大币种占比',
      formula: '单一合约名义 / 总敞口',
      figure: <Percent value={largest?.share} reason={reason} />,
      detail: largest?.symbol,
    },
  ];
}
