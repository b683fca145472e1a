import { liquidationDistance } from '../../base/maths/hedge';
import { liquidationPrice } from '../../base/maths/liquidation';
import { bracketFor } from '../../market/brackets';
import type { TradingTerms, VenueMargin } from '../../market/venue';

/** Of a whole account, USDT. */
export interface MarginNow {
  balance: number;
  maintenance: number;
}

export const marginNow = (margin: VenueMargin | null): MarginNow | null =>
  margin && { balance: Number(margin.marginBalance), maintenance: Number(margin.maintenanceMargin) };

/** Where its venue would close a position (F23), and how far the mark is from there; nothing where that is not known. */
export function liquidationOf(
  quantity: number,
  mark: number | null,
  terms: TradingTerms | undefined,
  margin: MarginNow | null,
) {
  const price =
    mark === null || quantity === 0 || terms === undefined || margin === null
      ? null
      : liquidationPrice({
          ...{ quantity, mark, ...margin },
          maintenanceRate: bracketFor(terms, Math.abs(quantity) * mark).maintenanceRate,
        });
  return {
    liquidationPrice: price,
    liquidationDistance: price === null || mark === null ? null : liquidationDistance(mark, price),
  };
}
