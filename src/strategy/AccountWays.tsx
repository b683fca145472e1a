import { Space } from 'antd';
import type { StrategyPreview } from '#contract/strategies';
import { venueLabel } from '@/scan/venueLabel';

/** Where an account at a venue is opened. */
export const openingPath = (source: string) => `/?view=own&open=${source}`;

/** Ways to open what is lacking; beside this page, so that what is typed or asked here stays. */
export function AccountWays({ accounts }: { accounts: StrategyPreview['accounts'] }) {
  const lacking = accounts.filter(({ freeMargin }) => freeMargin === null);
  return (
    <Space size={8} wrap>
      {lacking.map(({ source }) => (
        <a key={source} href={openingPath(source)} target="_blank" rel="noreferrer">
          去 {venueLabel(source)} 开户
        </a>
      ))}
    </Space>
  );
}
