import { Space } from 'antd';
import type { StrategyPreview } from '#contract/strategies';
import type { StrategyMode } from '#contract/strategy';
import { venueLabel } from '@/scan/venueLabel';
import { modeLabel } from '@/services/modeLabel';

/** Where an account at a venue is opened. */
export const openingPath = (source: string, mode: StrategyMode = 'paper') =>
  `/?view=own&${mode === 'live' ? 'openLive' : 'open'}=${source}`;

interface AccountWaysProps {
  accounts: StrategyPreview['accounts'];
  mode?: StrategyMode;
}

/** Ways to open what is lacking; beside this page, so that what is typed or asked here stays. */
export function AccountWays({ accounts, mode }: AccountWaysProps) {
  const lacking = accounts.filter(({ freeMargin, isSilent }) => freeMargin === null && !isSilent);
  return (
    <Space size={8} wrap>
      {lacking.map(({ source }) => (
        <a key={source} href={openingPath(source, mode)} target="_blank" rel="noreferrer">
          去 {venueLabel(source)} {mode === 'live' ? `开${modeLabel(mode)}账户` : '开户'}
        </a>
      ))}
    </Space>
  );
}
