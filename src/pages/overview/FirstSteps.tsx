import { Link } from '@umijs/max';
import { Alert } from 'antd';
import { useState } from 'react';
import { SIMULATED } from '#contract/candle';
import { type PairSuggestion, pair } from '#contract/pair';
import { useCall } from '@/services/useCall';
import styles from './index.module.css';

const KEY = 'overview.firstSteps';
const BACKTEST_DAYS = '90';

/** Says where the figures come from, and leads through the first minute; who has read it puts it away. */
export function FirstSteps() {
  const [read, setRead] = useState(() => localStorage.getItem(KEY) === 'read');
  if (read) return null;
  const putAway = () => {
    localStorage.setItem(KEY, 'read');
    setRead(true);
  };
  return (
    <Alert
      type="info"
      role="note"
      className={styles.steps}
      title="这里的行情是模拟的，没有真钱；成交、手续费、资金费与盈亏由引擎逐笔撮合、记账算出。"
      description={<Steps />}
      closable={{ onClose: putAway, closeIcon: true, 'aria-label': '知道了，不再显示' }}
    />
  );
}

/** The links lead to the same pair: one that the market offers now. */
function Steps() {
  const { data } = useCall(pair.suggestion, {});
  const chosen = data?.pair ?? null;
  const sides = chosen && { source: SIMULATED, long: chosen.long, short: chosen.short };
  const to = (path: string, more: Record<string, string> = {}) =>
    sides === null ? path : `${path}?${new URLSearchParams({ ...sides, ...more })}`;
  return (
    <nav className={styles.stepLinks} aria-label="第一分钟">
      <Link to="/indicator/hedge">① 挑一对</Link>
      <span aria-hidden>→</span>
      <Link to={to('/test/hedge', { days: BACKTEST_DAYS })}>② 回测 {BACKTEST_DAYS} 天</Link>
      <span aria-hidden>→</span>
      <Link to={to('/strategy/hedge')}>③ 模拟开仓</Link>
      {chosen && <span className="soft">{exampleWords(chosen)}</span>}
    </nav>
  );
}

const exampleWords = ({ long, short, bar, bars, adfP, halfLife, z }: PairSuggestion): string =>
  `以多 ${long} / 空 ${short} 为例：按你的对冲配置（${bars} 根 ${bar}）协整，ADF p ${adfP.toFixed(3)}，半衰期 ${halfLife.toFixed(1)} 天，现在 z ${z.toFixed(2).replace('-', '−')}`;
