import { countLedger } from '../../base/db/orders/reconcile';
import { audit } from '../../engine/audit';
import type { Inquiry } from './inquiry';

/** Most lines of a ledger that are added up while somebody waits. */
const LINES = 50_000;

/** What the audit of the account's books finds, in Chinese. */
export async function checkBooks({ db, userId, unknown, ask, still }: Inquiry): Promise<string[]> {
  const lines = await countLedger(db, userId);
  if (lines > LINES) {
    unknown.push(`账目：账本有 ${lines} 行，超过页面检查的上限 ${LINES} 行，请运行 npm run audit`);
    return [];
  }
  try {
    const { seen, still: stood } = await still(() => ask((venue) => audit(db, venue, [userId])));
    if (!stood) {
      unknown.push('账目：检查期间一直有新的入账，请稍后再试');
      return [];
    }
    return seen.findings.map(({ what }) => what);
  } catch {
    unknown.push('账目：没有检查完，交易所没有回答');
    return [];
  }
}
