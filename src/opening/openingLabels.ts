import { venueName } from '#contract/candle';
import type { DueRow, Gauge, WaitingRow } from '#contract/opening';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import { inBps } from '@/components/Bps';
import { formatNumber } from '@/components/formatNumber';
import { isOneInstrument } from '@/strategy/legText';

type Named = DueRow | WaitingRow;
type Sides = Pick<Named, 'long' | 'longSource' | 'short' | 'shortSource'>;

const GAUGE: Record<Gauge['is'], { label: string; text: (value: number) => string }> = {
  z: { label: 'z', text: (value) => formatNumber(value, { digits: 2 }) },
  apr: { label: '名义净年化', text: (value) => `${formatNumber(value * 100, { digits: 2 })}%` },
  edge: { label: '净价差', text: (value) => `${formatNumber(inBps(value), { digits: 1 })} bps` },
  price: { label: '价格', text: (value) => formatNumber(value, { digits: 6 }) },
};

/** What is earned is enough from there on; a z or a price may be waited for from either side. */
const isReached = ({ is, now, wanted }: Gauge): boolean =>
  (is === 'apr' || is === 'edge') && now !== null && now >= wanted;

/** How near a target is to what it is opened at. */
export function gaugeText(gauge: Gauge): string {
  const { is, now, wanted } = gauge;
  const { label, text } = GAUGE[is];
  const there = isReached(gauge) ? `已到 ${text(wanted)}` : `到 ${text(wanted)} 建仓`;
  return `${label} ${now === null ? '未知' : text(now)}，${there}`;
}

/** How far it is from there, a share of it; what is not known is farthest. */
export function farness(gauge: Gauge | null): number {
  if (gauge === null || gauge.now === null) return Number.POSITIVE_INFINITY;
  return Math.abs(gauge.now - gauge.wanted) / Math.max(Math.abs(gauge.wanted), 1e-9);
}

/** Its one leg where it has only one, else both. */
export const sidesText = (sides: Sides): string =>
  isOneInstrument(sides) ? sides.long : `多 ${sides.long} / 空 ${sides.short}`;

export function venuesText({ longSource, shortSource }: Named): string {
  return [...new Set([longSource, shortSource])].map(venueName).join(' / ');
}

/** Whose it is and of which strategy. */
export const strategyText = ({ user, kind, strategy }: Named): string =>
  [user, STRATEGY_KIND_LABEL[kind], STRATEGY_KIND_LABEL[kind].includes(strategy) ? '' : strategy]
    .filter(Boolean)
    .join(' · ');
