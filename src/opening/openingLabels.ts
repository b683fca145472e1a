import { venueName } from '#contract/candle';
import type { DueRow, Gauge, WaitingRow } from '#contract/opening';
import { inBps } from '@/components/Bps';
import { formatNumber } from '@/components/formatNumber';
import { KINDS } from '@/kinds';
import { isOneInstrument } from '@/strategy/legText';

type Named = DueRow | WaitingRow;
type Sides = Pick<Named, 'long' | 'longSource' | 'short' | 'shortSource'>;

const GAUGE: Record<Gauge['is'], { label: string; text: (value: number) => string }> = {
  z: { label: 'z', text: (value) => formatNumber(value, { digits: 2 }) },
  apr: { label: '名义净年化', text: (value) => `${formatNumber(value * 100, { digits: 2 })}%` },
  edge: { label: '净价差', text: (value) => `${formatNumber(inBps(value), { digits: 1 })} bps` },
  price: { label: '价格', text: (value) => formatNumber(value, { digits: 6 }) },
};

/** How near a target is to what it is opened at. */
export function gaugeText({ is, now, wanted }: Gauge): string {
  const { label, text } = GAUGE[is];
  return `${label} ${now === null ? '未知' : text(now)}，到 ${text(wanted)} 建仓`;
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
  [user, KINDS[kind].label, KINDS[kind].label.includes(strategy) ? '' : strategy].filter(Boolean).join(' · ');
