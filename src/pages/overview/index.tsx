import { Link, useAccess } from '@umijs/max';
import { Alert, Segmented, Skeleton } from 'antd';
import { Suspense, useState } from 'react';
import { SIMULATED } from '#contract/candle';
import { type PairSuggestion, pair } from '#contract/pair';
import { type Environment, followedNames, service } from '#contract/service';
import { spaced } from '#contract/spaced';
import { durationText } from '@/components/Duration';
import { late } from '@/components/late';
import { useQueryState, wordCodec } from '@/components/useQueryState';
import { useCall } from '@/services/useCall';
import styles from './index.module.css';
import { OwnAccount } from './OwnAccount';

const AllAccounts = late(() => import('./all/AllAccounts'));

const VIEWS = [
  { value: 'all' as const, label: '全部账户' },
  { value: 'own' as const, label: '我的账户' },
];
const codecs = { view: wordCodec(['all', 'own'], 'all') };

/** 账户总览: the caller's own account; a master lands on everybody's. */
export default function OverviewPage() {
  const { isMaster } = useAccess();
  const [{ view }, change] = useQueryState(codecs);
  return (
    <div className={styles.page}>
      <header className={styles.title}>
        <h1>账户总览</h1>
        {isMaster && (
          <Segmented aria-label="账户范围" options={VIEWS} value={view} onChange={(next) => change({ view: next })} />
        )}
      </header>
      <FirstSteps />
      {isMaster && view === 'all' ? (
        <Suspense fallback={<Skeleton active className={styles.waiting} paragraph={{ rows: 14 }} />}>
          <AllAccounts />
        </Suspense>
      ) : (
        <OwnAccount />
      )}
    </div>
  );
}

const KEY = 'overview.firstSteps';
const BACKTEST_DAYS = '90';

const BOOKED = '成交、手续费、资金费与盈亏由引擎逐笔撮合、记账算出。';
const BOOKED_APART = '模拟成交与费用由引擎撮合，交易所账户的以交易所为准，都逐笔记账。';

const MONEY_WORDS = {
  paper: '资金都是模拟的，没有真钱',
  testnet: '标「测试网」的委托发往交易所的测试网，资金都不是真钱',
  live: '标「实盘」的账户下真实订单，动用真实资金，其他账户都是模拟资金',
} as const;

/** Which prices are real, and what money is; null where nothing can be traded. */
function marketWords(environment: Environment | undefined): string | null {
  const { simulated = true, followed = [], trading = 'paper' } = environment ?? {};
  const names = followedNames({ followed });
  if (!names) return simulated ? `这里的行情是模拟的，没有真钱；${BOOKED}` : null;
  const real = `${names}（标「实时」）是交易所${trading === 'testnet' ? '测试网的' : '的真实'}价格与盘口`;
  const money = MONEY_WORDS[trading];
  return spaced(
    `${simulated ? `「模拟行情」是模拟的，${real}` : real}；${money}。${trading === 'paper' ? BOOKED : BOOKED_APART}`,
  );
}

/** Says where the figures come from, and leads through the first minute; who has read it puts it away. */
function FirstSteps() {
  const [read, setRead] = useState(() => localStorage.getItem(KEY) === 'read');
  const { data } = useCall(service.environment, {});
  const title = read ? null : marketWords(data);
  if (title === null) return null;
  const putAway = () => {
    localStorage.setItem(KEY, 'read');
    setRead(true);
  };
  return (
    <Alert
      type="info"
      role="note"
      className={styles.steps}
      title={title}
      description={
        <>
          <Steps />
          {data?.simulated !== false && <Structure />}
        </>
      }
      closable={{ onClose: putAway, closeIcon: true, 'aria-label': '知道了，不再显示' }}
    />
  );
}

/** The links lead to the same pair, one that the market offers now, and to its past under the rules of the reader's own desk. */
function Steps() {
  const { data } = useCall(pair.suggestion, {});
  const chosen = data?.pair ?? null;
  const sides = chosen && { source: SIMULATED, long: chosen.long, short: chosen.short };
  const rules = Object.fromEntries(Object.entries(data?.rules ?? {}).map(([name, value]) => [name, String(value)]));
  const to = (path: string, more: Record<string, string> = {}) =>
    sides === null ? path : `${path}?${new URLSearchParams({ ...sides, ...more })}`;
  return (
    <nav className={styles.stepLinks} aria-label="第一分钟">
      <Link to="/indicator/hedge">① 挑一对</Link>
      <span aria-hidden>→</span>
      <Link to={to('/test/hedge', { days: BACKTEST_DAYS, ...rules })}>② 按同样规则回测 {BACKTEST_DAYS} 天</Link>
      <span aria-hidden>→</span>
      {data?.isOwn ? (
        <Link to="/strategy/hedge">③ 到交易台看这一对</Link>
      ) : (
        <Link to={to('/strategy/hedge')}>③ 模拟开仓</Link>
      )}
      {chosen && <span className="soft">{exampleWords(chosen)}</span>}
    </nav>
  );
}

/** What the market is made of: docs/simulated-market.md in short. */
const Structure = () => (
  <details>
    <summary>模拟行情有什么结构</summary>
    <ul className={styles.structure}>
      <li>
        价格 = 大盘 + 板块 + 自身。18 个币种跟随同板块的另一个币种（如 AVAX/SOL、XLM/XRP、1000SHIB/DOGE），价差的半衰期
        1.5 至 9 天，两者按构造协整；其余各对不是，但约三成也会碰巧通过 ADF 0.1。
      </li>
      <li>BTC 单日涨跌超过 8% 的日子每季少于一次。</li>
      <li>
        资金费按币种与日、折合 8 小时，与真实的 94 个币种相近：约 41% 恰为 0.01%，17% 为负，1.6% 超过 0.05%，0.5% 超过
        0.1%；数日内延续，数周后回到均值。
      </li>
      <li>三个交易所各有盘口、费率、延迟与停机；价差偶尔拉开，其中多数不够付手续费。</li>
      <li>在旧版本里建立的数据目录沿用旧的行情（没有协整对，资金费更散）：价格不因升级而跳动。</li>
    </ul>
  </details>
);

const exampleWords = ({ long, short, bar, bars, adfP, halfLife, z }: PairSuggestion): string =>
  `以多 ${long} / 空 ${short} 为例：按你的对冲配置（${bars} 根 ${bar}）协整，ADF p ${adfP.toFixed(3)}，半衰期 ${durationText(halfLife * 24)}，现在 z ${z.toFixed(2).replace('-', '−')}`;
