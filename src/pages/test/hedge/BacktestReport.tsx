import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Card, Skeleton, Space, Tag, Typography } from 'antd';
import { Suspense } from 'react';
import type { BacktestResult } from '#contract/backtest';
import { formatDateTime } from '@/components/DateTime';
import { FigureTiles } from '@/components/FigureTiles';
import { late } from '@/components/late';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import { WhenSeen } from '@/components/WhenSeen';
import { type ChargedFunding, chargedFunding } from './chargedFunding';
import { hasUtcDays } from './hasUtcDays';
import styles from './index.module.css';
import { TILE_GROUPS } from './tiles';

const MonthMap = late(() => import('@/components/MonthMap'));
const EquityCharts = late(() => import('./EquityCharts'));
const TradesTable = late(() => import('./TradesTable'));
const Honesty = late(() => import('./Honesty'));

/** Heights of what is not loaded yet, px. */
const CHARTS = 880;
const MONTHS = 240;
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
    <section className={stale ? `stack ${styles.stale}` : 'stack'} aria-label="回测结果" aria-busy={stale}>
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
        <Suspense fallback={<Skeleton.Node active style={{ width: '100%', height: CHARTS }} />}>
          <EquityCharts result={result} />
        </Suspense>
      </WhenSeen>
      <div className={styles.pairs}>
        <WhenSeen height={MONTHS}>
          <Suspense fallback={<Skeleton active />}>
            <MonthMap months={result.months} />
          </Suspense>
        </WhenSeen>
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

/** The summary as groups of tiles. */
function ResultTiles({ result }: { result: BacktestResult }) {
  const { start, end, summary } = result;
  const utc = hasUtcDays(result);
  const window = `${formatDateTime(start, 'day', utc)} 至 ${formatDateTime(end, 'day', utc)}，${summary.days.toFixed(1)} 天`;
  const inputAt = `截至 ${formatDateTime(end, 'minute', utc)} 收盘`;
  return TILE_GROUPS.map(({ title, tiles }) => {
    const shown = tiles.map(({ label, formula, figure, detail }) => {
      return { label, formula, window, figure: figure(result), detail: detail?.(result) };
    });
    return (
      <Card key={title} size="small" title={title}>
        <FigureTiles label={title} tiles={shown} inputAt={inputAt} />
      </Card>
    );
  });
}

const PARTS = [
  { key: 'price', label: '价格损益' },
  { key: 'funding', label: '资金费' },
  { key: 'fees', label: '手续费' },
  { key: 'slippage', label: '滑点' },
  { key: 'shortfall', label: '穿仓' },
  { key: 'net', label: '净收益' },
] as const;

interface ResultSplitProps extends Pick<BacktestResult, 'split'> {
  funding: ChargedFunding;
}

/** Where the result came from: parts that add up to the net. */
function ResultSplit({ split, funding }: ResultSplitProps) {
  const parts = PARTS.filter(({ key }) => key !== 'shortfall' || split.shortfall > 0);
  const sum = parts.slice(0, -1).map(({ label }) => label);
  const largest = Math.max(...PARTS.map(({ key }) => Math.abs(split[key])), Number.MIN_VALUE);
  return (
    <Card size="small" title={`损益拆分（${sum.join(' + ')} = 净收益）`}>
      <dl className={styles.split}>
        {parts.map(({ key, label }) => {
          const share = (Math.abs(split[key]) / largest) * 50;
          const loss = split[key] < 0;
          const bar = { width: `${share}%`, left: loss ? `${50 - share}%` : '50%' };
          return (
            <div key={key} className={key === 'net' ? styles.splitNet : styles.splitRow}>
              <dt>{label}</dt>
              <div className={styles.track} aria-hidden="true">
                <span style={{ ...bar, background: loss ? 'var(--down)' : 'var(--up)' }} />
              </div>
              <dd>
                {key === 'funding' && funding.value === null ? (
                  <Missing reason={funding.reason} />
                ) : (
                  <Pnl value={split[key]} unit="USDT" />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}
