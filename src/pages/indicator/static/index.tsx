import { DownloadOutlined } from '@ant-design/icons';
import { Link } from '@umijs/max';
import { Alert, Button, Card } from 'antd';
import { type Statistic, type StatisticQuery, statistic } from '#contract/statistic';
import { formatDateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { Explained } from '@/components/Explained';
import { FigureTiles } from '@/components/FigureTiles';
import { formatNumber } from '@/components/formatNumber';
import { LateCard } from '@/components/LateCard';
import { late } from '@/components/late';
import { usePreparing } from '@/components/usePreparing';
import { useQueryState } from '@/components/useQueryState';
import { Waiting } from '@/components/Waiting';
import { useCall } from '@/services/useCall';
import styles from './index.module.css';
import { StatisticFilters } from './StatisticFilters';
import { queryOf, statisticCodecs } from './statisticQuery';
import { DAY_GROUPS, HEDGE_GROUP } from './tiles';

const REFRESH_MS = 60_000;

const exportDays = async ({ daily }: Statistic) => (await import('./dailyCsv')).downloadDays(daily);

/** 中性实盘统计: what all accounts have done with their hedges, for masters. */
export default function StatisticPage() {
  const [state, change] = useQueryState(statisticCodecs);
  const query = queryOf(state, Date.now());
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, isLoading, retry } = useCall(statistic.all, { query }, options);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>中性实盘统计</h1>
        {data && (
          <Button
            icon={<DownloadOutlined />}
            disabled={data.daily.day.length === 0}
            onClick={() => void exportDays(data)}
          >
            日收益 CSV
          </Button>
        )}
      </header>
      {data === undefined &&
        (error ? (
          <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />
        ) : (
          <Waiting className={styles.waiting} rows={14} />
        ))}
      {data?.users.length === 0 && <NoAccounts />}
      {data && data.users.length > 0 && (
        <>
          <StatisticFilters state={state} change={change} data={data} />
          {error && <Alert type="error" showIcon title={`统计读取失败：${error.message}。下方是上一次读到的数据。`} />}
          <QualityLine data={data} />
          <FigureCards data={data} pair={state.pair} />
          <StatisticPanels data={data} query={query} />
        </>
      )}
    </div>
  );
}

const NoAccounts = () => (
  <EmptyState
    title="还没有账户"
    description="有用户在「多空对冲」保存第一份配置、开立账户之后，这里统计所有账户的净值、风险、盈亏归因与回测差额。"
  >
    <Link to="/strategy/hedge">
      <Button type="primary">前往多空对冲</Button>
    </Link>
  </EmptyState>
);

const EquityCard = late(() => import('./EquityCard'));
const CalendarCards = late(() => import('./CalendarCards'));
const AttributionCard = late(() => import('./AttributionCard'));
const CompareCard = late(() => import('./CompareCard'));

/** Heights of what is not loaded yet, px. */
const HEIGHT = { equity: 980, calendar: 420, attribution: 320, compare: 480 };

interface StatisticPanelsProps {
  data: Statistic;
  query: StatisticQuery;
}

/** Charts and tables: what lies below the fold is loaded when it comes near. */
function StatisticPanels({ data, query }: StatisticPanelsProps) {
  return (
    <>
      {data.figures !== null && (
        <>
          <LateCard height={HEIGHT.equity}>
            <EquityCard daily={data.daily} />
          </LateCard>
          <LateCard height={HEIGHT.calendar}>
            <CalendarCards months={data.months} daily={data.daily} />
          </LateCard>
        </>
      )}
      {/* The table's code is large, and the backtests take their time: both wait until they are looked at. */}
      <LateCard height={HEIGHT.attribution} ahead={0}>
        <AttributionCard attribution={data.attribution} hedges={data.hedges} />
      </LateCard>
      <LateCard height={HEIGHT.compare} ahead={0}>
        <CompareCard query={query} />
      </LateCard>
    </>
  );
}

/** Differences below this are rounding, USDT. */
const ROUNDING = 0.005;
const DAYS_NAMED = 40;

const money = (value: number) => `${formatNumber(value, { digits: 2, signed: true })} USDT`;

/** What the figures are based on: days, what is missing, what was taken out. */
function QualityLine({ data }: { data: Statistic }) {
  const { accounts, from, to, at, daily, quality } = data;
  const { missingDays, missingAccountDays, transferCount, transfers, unexplained, running } = quality;
  const span =
    from === null || to === null
      ? '没有完整的一天'
      : `${formatDateTime(from, 'day', true)} 至 ${formatDateTime(to, 'day', true)} 零点（UTC），${daily.day.length} 天`;
  const named = missingDays.slice(0, DAYS_NAMED).join('、') + (missingDays.length > DAYS_NAMED ? ' …' : '');
  const off = Math.abs(unexplained) >= ROUNDING;
  return (
    <Alert
      type={missingDays.length > 0 || off ? 'warning' : 'info'}
      role="note"
      aria-label="数据质量"
      title={
        <>
          账户 {accounts} 个，{span}；
          {missingDays.length === 0 ? (
            '没有缺记录的日子'
          ) : (
            <Explained text={named}>
              缺记录 {missingDays.length} 天（{missingAccountDays}{' '}
              个账户日，权益沿用上一记录，其间盈亏计入下一有记录的日子）
            </Explained>
          )}
          ；剔除划转 {transferCount} 笔{transferCount > 0 && `，净额 ${money(transfers)}`}
          {off && `；权益变化中有 ${money(unexplained)} 不能由价格、资金费与手续费解释`}；进行中 {running}{' '}
          单按标记价计入净值，不计入对冲单统计与归因。更新于 {formatDateTime(at, 'second').slice(11)}
        </>
      }
    />
  );
}

/** The figures as groups of tiles; each says formula, window and the time of its inputs. */
function FigureCards({ data, pair }: { data: Statistic; pair: string }) {
  const { figures, hedges, from, to, at } = data;
  const window =
    from === null || to === null
      ? '没有完整的一天'
      : `${formatDateTime(from, 'minute', true)} 至 ${formatDateTime(to, 'minute', true)} UTC，${figures?.days.toFixed(1)} 天`;
  const inputAt = formatDateTime(at, 'second');
  const missing = usePreparing();
  return (
    <>
      {pair !== '' && (
        <Alert
          type="info"
          showIcon
          title="净值按账户记录，不能拆到单个交易对：净值、风险、成本、周期与下方曲线仍是所选账户的全部；对冲单、归因与回测对比只含所选交易对。"
        />
      )}
      {figures === null ? (
        <Alert
          type="info"
          showIcon
          title="期间内还没有完整的一天（UTC）：净值与日收益从开户后的第一个 UTC 零点开始统计。"
        />
      ) : (
        DAY_GROUPS.map(({ title, tiles }) => (
          <Card key={title} size="small" title={title}>
            <FigureTiles
              label={title}
              inputAt={inputAt}
              missing={missing}
              tiles={tiles.map(({ label, formula, figure, detail }) => {
                return { label, formula, window, figure: figure(figures), detail: detail?.(figures) };
              })}
            />
          </Card>
        ))
      )}
      <Card size="small" title={HEDGE_GROUP.title}>
        <FigureTiles
          label={HEDGE_GROUP.title}
          inputAt={inputAt}
          missing={missing}
          tiles={HEDGE_GROUP.tiles.map(({ label, formula, figure, detail }) => {
            const inside = '结束时刻在所选期间内（UTC 日，含今天）';
            return { label, formula, window: inside, figure: figure(hedges), detail: detail?.(hedges) };
          })}
        />
      </Card>
    </>
  );
}
