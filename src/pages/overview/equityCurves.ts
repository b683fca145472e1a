import type { AllAccounts, EquityCurve, EquityMark } from '#contract/account';
import type { Curve, Mark } from '@/chart/curve';
import { formatNumber } from '@/components/formatNumber';

/** The curves of the chosen parts, each group on a pane of its own. */
export function curvesOf({ equity, drawdown, index, btc }: AllAccounts['curve'], parts: readonly string[]): Curve[] {
  const groups: Record<string, Curve[]> = {
    equity: [{ name: '权益', values: equity, color: 'blue', format: 'amount', unit: 'USDT' }],
    btc: [
      { name: '账户（100 起）', values: index, color: 'blue' },
      { name: 'BTC（100 起）', values: btc, color: 'orange', dashed: true },
    ],
    drawdown: [{ name: '回撤', values: drawdown, shape: 'area', color: 'down', format: 'percent' }],
  };
  return Object.keys(groups)
    .filter((part) => parts.includes(part))
    .flatMap((part, pane) => groups[part]!.map((curve) => ({ ...curve, pane })));
}

const LOOK: Record<EquityMark['kind'], Pick<Mark, 'color' | 'side'> & { word: string }> = {
  open: { word: '开', color: 'cyan', side: 'below' },
  close: { word: '平', color: 'purple', side: 'above' },
  transfer: { word: '划转', color: 'gold', side: 'below' },
  bailout: { word: '穿仓垫付', color: 'magenta', side: 'below' },
};

/** Money is kept exactly, and told in cents. */
const wordsOf = (kind: EquityMark['kind'], text: string): string =>
  kind === 'open' || kind === 'close' ? text : formatNumber(Number(text), { digits: 2, signed: true });

/** What happened, as arrows on the top pane; only a few have room for their words. */
export function marksOf({ marks }: EquityCurve): Mark[] {
  const named = marks.length <= 12;
  return marks.map(({ at, kind, text }) => {
    const { word, color, side } = LOOK[kind];
    return { at, color, side, text: named ? `${word} ${wordsOf(kind, text)}` : word };
  });
}
