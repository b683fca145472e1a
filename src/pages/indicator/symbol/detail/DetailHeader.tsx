import { Card, Space, Tag, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import type { SymbolDetail } from '#contract/symbol';
import { formatDateTime } from '@/components/DateTime';
import { sourceLabel } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { SourceSelect } from '@/components/SourceSelect';
import { Star } from '@/components/Star';
import styles from './index.module.css';
import { Neighbours } from './Neighbours';
import { UseCoin } from './UseCoin';

interface DetailHeaderProps {
  detail: SymbolDetail;
  /** When it was read, UTC ms. */
  updatedAt: number | undefined;
  /** The last refresh failed: the figures are old. */
  late: boolean;
  onSource: (source: string) => void;
  /** The coin's figures, where there is room for them above the chart. */
  children: ReactNode;
}

const ORIGIN_COLOR = { simulated: 'warning', live: 'success', imported: 'processing' };

/** Name, price, figures, and the ways to other coins and sources. */
export function DetailHeader({ detail, updatedAt, late, onSource, children }: DetailHeaderProps) {
  const { symbol, source, kind, exchange, sector, price, priceAt, change24h } = detail;
  const origin = { simulated: '模拟', live: sourceLabel(source), imported: `导入数据 · ${exchange}` }[kind];
  return (
    <Card size="small">
      <div className={styles.header}>
        <div className={styles.title}>
          <Star coin={detail.base} />
          <h1>{symbol}</h1>
          <Tag color={ORIGIN_COLOR[kind]}>{origin}</Tag>
          {sector && <Tag>{sector}</Tag>}
        </div>
        <Space wrap>
          <SourceSelect value={source} onChange={onSource} />
          <UseCoin symbol={symbol} source={source} />
          <Neighbours previous={detail.previous} next={detail.next} />
        </Space>
      </div>
      <div className={styles.price}>
        <strong>
          <Price value={price} />
        </strong>
        <span>
          24h <Pnl value={change24h} percent reason="不足 24 小时的历史" />
        </span>
        <Tooltip title={`价格时间 ${formatDateTime(priceAt, 'second', true)} UTC`}>
          <span className={styles.age}>
            {kind === 'imported'
              ? `截至 ${formatDateTime(priceAt)}`
              : `更新于 ${updatedAt === undefined ? '-' : formatDateTime(updatedAt, 'second').slice(11)}`}
          </span>
        </Tooltip>
        {late && <Tag color="warning">数据延迟：刷新失败，正在重试</Tag>}
      </div>
      {children}
    </Card>
  );
}
