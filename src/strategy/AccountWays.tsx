import { Space } from 'antd';
import type { StrategyPreview } from '#contract/strategies';
import { venueLabel } from '@/scan/venueLabel';

/** Opens an account at a venue; beside this page, so that what is typed or asked here stays. */
export const AccountWay = ({ source, children }: { source: string; children: React.ReactNode }) => (
  <a href={`/?view=own&open=${source}`} target="_blank" rel="noreferrer">
    {children}
  </a>
);

/** The same of each venue that lacks one. */
export function AccountWays({ accounts }: { accounts: StrategyPreview['accounts'] }) {
  const lacking = accounts.filter(({ freeMargin }) => freeMargin === null);
  return (
    <Space size={8} wrap>
      {lacking.map(({ source }) => (
        <AccountWay key={source} source={source}>
          去 {venueLabel(source)} 开户
        </AccountWay>
      ))}
    </Space>
  );
}
