import Big from 'big.js';
import type { ReconciledAccount } from '#contract/order';
import { ledgerPositions } from '../../base/db/accounts/ledger';
import { plain } from '../../base/maths/decimal';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';
import type { Inquiry } from './inquiry';

type Rows = ReconciledAccount['positions'];

/** Positions by the ledger beside those at the venue, by symbol, and how much of the venue's news is not booked yet. */
export async function checkPositions(inquiry: Inquiry): Promise<{ rows: Rows; pending: number | null }> {
  const { db, userId, unknown, ask, still } = inquiry;
  try {
    const { seen, still: stood } = await still(
      async (accounts) => {
        const ours = await ledgerPositions(db, [userId]);
        const rows: Rows = [];
        let pending = 0;
        for (const { id, sequence } of accounts) {
          const theirs = await ask((venue) => venue.positions(id));
          pending += (await ask((venue) => venue.events(id, sequence))).length;
          const own = ours.filter(({ accountId, quantity }) => accountId === id && Number(quantity) !== 0);
          rows.push(...besideEachOther(own, theirs));
        }
        return { rows, pending };
      },
      ({ pending }) => pending === 0,
    );
    if (!stood) unknown.push('持仓：核对期间一直有新的入账，请稍后再试');
    else if (seen.pending > 0) unknown.push(`持仓：交易所有 ${seen.pending} 个事件尚未入账`);
    // Between a fill and its booking both are right.
    const settled = stood && seen.pending === 0;
    return { rows: settled ? seen.rows : [], pending: seen.pending };
  } catch {
    unknown.push('持仓：交易所没有回答');
    return { rows: [], pending: null };
  }
}

interface Held extends SourceSymbol {
  quantity: string;
}

function besideEachOther(ours: readonly Held[], theirs: readonly Held[]): Rows {
  const rows = new Map<string, Rows[number]>();
  const rowOf = ({ source, symbol }: Held) => {
    const key = symbolKey({ source, symbol });
    const row = rows.get(key) ?? { source, symbol, ledger: '0', venue: '0' };
    rows.set(key, row);
    return row;
  };
  for (const held of ours) rowOf(held).ledger = plain(new Big(held.quantity));
  for (const held of theirs) rowOf(held).venue = plain(new Big(held.quantity));
  return [...rows.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}
