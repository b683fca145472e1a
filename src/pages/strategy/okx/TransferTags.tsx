import { Tag, Tooltip } from 'antd';
import type { ArbitrageCandidate } from '#contract/kinds/okx/scan';
import { Missing } from '@/components/Missing';
import scan from '@/scan/scan.module.css';

const STEPS = [
  ['coinOut', '币停提'],
  ['coinIn', '币停充'],
  ['moneyOut', 'USDT 停提'],
  ['moneyIn', 'USDT 停充'],
] as const;

/** What of moving the coin and the money back is shut; nothing where all of it is open, `null` where a venue does not say. */
export function shutSteps(row: ArbitrageCandidate): string[] | null {
  if (STEPS.some(([step]) => row[step] === null)) return null;
  return STEPS.filter(([step]) => row[step] === false).map(([, word]) => word);
}

/** Whether the coin and the money can be moved back. */
export function TransferTags({ row }: { row: ArbitrageCandidate }) {
  const shut = shutSteps(row);
  if (shut === null) return <Missing reason="交易所没有给出充提状态" />;
  return (
    <Tooltip title="币：买入所提、卖出所充；USDT：卖出所提、买入所充">
      <span className={scan.tags}>
        {shut.length === 0 ? (
          <Tag>开放</Tag>
        ) : (
          shut.map((word) => (
            <Tag key={word} color="warning">
              {word}
            </Tag>
          ))
        )}
      </span>
    </Tooltip>
  );
}
