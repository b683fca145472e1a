import { Tag } from 'antd';
import { Fragment, memo } from 'react';
import type { HedgeDesk } from '#contract/kinds/hedge/config';
import { Amount } from '@/components/Amount';
import styles from './desk.module.css';
import type { DeskRow } from './deskRows';

/** So many coins are named; the rest are the smallest. */
const NAMED = 8;
/** In so many hedges one coin is a concentration, however many there are. */
const MANY = 3;

const isConcentrated = (hedges: number, running: number): boolean =>
  hedges >= MANY || (hedges > 1 && hedges > running / 2);

const isOut = ({ hedge }: DeskRow): boolean =>
  hedge !== null && (hedge.state === 'closing' || hedge.closeAsked || hedge.reducing !== null);
const isIn = ({ hedge }: DeskRow): boolean => hedge?.state === 'opening' || hedge?.state === 'waiting';

/** How many are on their way, and of how many of them orders rest in the book. */
function onTheirWay(rows: readonly DeskRow[], word: string): string[] {
  if (rows.length === 0) return [];
  const resting = rows.filter(({ hedge }) => hedge?.resting).length;
  return [`${rows.length} 张正在${word}${resting > 0 ? `（${resting} 张挂单中）` : ''}`];
}

interface NettingProps extends Pick<HedgeDesk, 'coins' | 'running'> {
  rows: readonly DeskRow[];
}

/** What all running hedges come to by coin, where too many of them are in one, and what is on its way in or out. */
export const Netting = memo(function Netting({ coins, running, rows }: NettingProps) {
  const moving = [...onTheirWay(rows.filter(isOut), '平仓'), ...onTheirWay(rows.filter(isIn), '建仓')];
  // Real money is netted with nothing that is on paper.
  if (running === 0 || (coins.length === 0 && moving.length === 0)) return null;
  return (
    <section className={styles.netting} aria-label="按币种轧差">
      <span className="soft">按币种轧差（净敞口 USDT）</span>
      {coins.slice(0, NAMED).map(({ coin, net }) => (
        <Fragment key={coin}>
          <span>
            {coin} <Amount value={net} signed digits={0} money reason="有持有的没有标记价" />
          </span>
        </Fragment>
      ))}
      {coins.length > NAMED && <span className="soft">另 {coins.length - NAMED} 个币种更小</span>}
      {coins
        .filter(({ hedges }) => isConcentrated(hedges, running))
        .map(({ coin, hedges }) => (
          <Tag key={coin} color="warning">
            {running} 笔对冲中有 {hedges} 笔含 {coin}
          </Tag>
        ))}
      {moving.length > 0 && <strong>{moving.join('，')}</strong>}
    </section>
  );
});
