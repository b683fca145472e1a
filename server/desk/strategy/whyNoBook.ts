import { isLiveSource, venueName } from '#contract/candle';
import { spaced } from '#contract/spaced';
import type { SourceSymbol } from '../../base/symbolKey';
import type { Markets } from '../../market/exchange';
import type { Quote } from '../../market/venue';

/** Why a symbol that is held has no quote, and what becomes of an order to close it, in words; null where it has one. */
export async function whyNoBook(
  markets: Markets,
  { source, symbol }: SourceSymbol,
  quote: Quote | undefined,
): Promise<string | null> {
  if (quote !== undefined) return null;
  const market = await markets.get(source);
  const name = venueName(source);
  if (isLiveSource(source) && market?.kind !== 'live')
    return spaced(`${name}已停止跟踪，没有实时盘口：恢复跟踪后才会平仓`);
  if (market?.isOut()) return spaced(`${name}没有应答，没有盘口：恢复后才会平仓`);
  return spaced(`${name}的 ${symbol} 现在没有盘口：有盘口后才会平仓`);
}
