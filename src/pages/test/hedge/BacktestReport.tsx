import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Card, Skeleton, Space, Tag, Typography } from 'antd';
import { Suspense } from 'react';
import type { BacktestResult } from '#contract/backtest';
import { formatDateTime } from '@/components/DateTime';
import { late } from '@/components/late';
import { MonthMap } from '@/components/MonthMap';
import { WhenSeen } from '@/components/WhenSeen';
import { chargedFunding } from './chargedFunding';
import { EquityCharts } from './EquityCharts';
import { hasUtcDays } from './hasUtcDays';
import styles from './index.module.css';
import { ResultSplit } from './ResultSplit';
import { ResultTiles } from './ResultTiles';

const TradesTable = late(() => import('./TradesTable'));
const Honesty = late(() => import('./Honesty'));

/** Heights of what is not loaded yet, px. */
const CHARTS = 880;
const TRADES = 480;
const HONESTY = 360;

interface BacktestReportProps {
  result: BacktestResult;
  /** A newer run is under way. */
  stale: boolean;
}

const saveCurve = async (result: BacktestResult) => (await import('./backtestCsv')).downloadCurve(result);
const saveTrades = async (result: BacktestResult) => (await import('./backtestCsv')).downloadTrades(result);
const saveLegs = async (result: BacktestResult) => (await import('./backtestCsv')).downloadLegs(result);

/** Everything that a finished run tells. */
export default function BacktestReport({ result, stale }: BacktestReportProps) {
  const { long, short, bar, start, end, summary, split, honesty, legTotal, legs, elapsedMs } = result;
  const utc = hasUtcDays(result);
  const parts = legTotal > legs.length ? `最近 ${legs.length} 段，共 ${legTotal} 段` : `${legTotal} 段`;
  return (
    <section className={stale ? styles.stale : styles.report} aria-label="回测结果" aria-busy={stale}>
      <Space wrap className={styles.heading}>
        <Typography.Title level={4} className={styles.title}>
          多 {long.join(' + ')} / 空 {short.join(' + ')}
        </Typography.Title>
        <Tag>{bar}</Tag>
        <Typography.Text type="secondary">
          {formatDateTime(start, 'day', utc)} 至 {formatDateTime(end, 'day', utc)}，计算用时 {elapsedMs.toFixed(0)} ms
        </Typography.Text>
        <Button size="small" icon={<DownloadOutlined />} onClick={() => void saveCurve(result)}>
          曲线 CSV
        </Button>
      </Space>
      {summary.liquidated && (
        <Alert
          type="error"
          showIcon
          title={`已爆仓：${formatDateTime(end, 'minute', utc)} 权益不高于维持保证金（总敞口的 ${(honesty.maintenanceRate * 100).toFixed(1)}%），全部平仓，回测在此结束`}
          description={`${split.shortfall > 0 ? `穿仓 ${split.shortfall.toFixed(2)} USDT，不计入权益。` : ''}降低杠杆，或让再平衡更频繁，再试一次。`}
        />
      )}
      <ResultTiles result={result} />
      <WhenSeen height={CHARTS}>
        <EquityCharts result={result} />
      </WhenSeen>
      <div className={styles.pairs}>
        <MonthMap months={result.months} />
        <ResultSplit split={result.split} funding={chargedFunding(result)} />
      </div>
      <Card
        size="small"
        title={`交易明细（${summary.trades} 笔对冲，${parts}）`}
        extra={
          <Space>
            <Button size="small" icon={<DownloadOutlined />} onClick={() => void saveTrades(result)}>
              交易 CSV
            </Button>
            <Button size="small" icon={<DownloadOutlined />} onClick={() => void saveLegs(result)}>
              分段 CSV
            </Button>
          </Space>
        }
      >
        <WhenSeen height={TRADES}>
          <Suspense fallback={<Skeleton active />}>
            <TradesTable trades={result.trades} legs={legs} utc={utc} funding={chargedFunding(result)} />
          </Suspense>
        </WhenSeen>
      </Card>
      <WhenSeen height={HONESTY}>
        <Suspense fallback={<Skeleton active />}>
          <Honesty honesty={honesty} shortfall={split.shortfall} utc={utc} />
        </Suspense>
      </WhenSeen>
    </section>
  );
}
