import { DownOutlined } from '@ant-design/icons';
import { Link } from '@umijs/max';
import { Button } from 'antd';
import { ActionMenu } from '@/components/ActionMenu';

/** Ways on with this coin: as one side of a backtest or of a pair. */
export function UseCoin({ symbol, source }: { symbol: string; source: string }) {
  const address = (path: string, side: 'long' | 'short') =>
    `${path}?${new URLSearchParams({ source, [side]: symbol })}`;
  const items = [
    { key: 'backtestLong', label: <Link to={address('/test/hedge', 'long')}>中性回测：做多它</Link> },
    { key: 'backtestShort', label: <Link to={address('/test/hedge', 'short')}>中性回测：做空它</Link> },
    { key: 'pairLong', label: <Link to={address('/indicator/hedge', 'long')}>中性选币：作为多头配对</Link> },
    { key: 'pairShort', label: <Link to={address('/indicator/hedge', 'short')}>中性选币：作为空头配对</Link> },
  ];
  return (
    <ActionMenu menu={{ items }}>
      <Button>
        用此币种 <DownOutlined />
      </Button>
    </ActionMenu>
  );
}
