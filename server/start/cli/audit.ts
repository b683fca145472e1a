import type { RealAccount } from '../../base/db/records/audit';
import type { ChainCheck } from '../../base/db/records/auditTrail';
import type { Audit } from '../../engine/audit';
import { readConfig } from '../config';
import { withControl } from '../controlClient';
import { runProgram } from '../runProgram';

/** Checks that ledger, positions, orders and venue agree, and that the audit log is whole, of the running server or of the data folder. */
async function main(): Promise<void> {
  const { books, deals, ledgerRows, stopped, findings, real, trail } = await withControl(readConfig(), (call) =>
    call<Audit & { real: RealAccount[]; trail: ChainCheck }>('GET', '/audit'),
  );
  console.log(`账户 ${books}，对冲单 ${deals}，账本 ${ledgerRows} 行，风控拦截 ${stopped} 次`);
  for (const { user, what } of findings) console.log(`${user}：${what}`);
  console.log(findings.length === 0 ? '账本、持仓、订单与交易所一致' : `不一致 ${findings.length} 处`);
  for (const one of real) console.log(unaskedOf(one));
  for (const problem of trail.problems) console.log(problem);
  if (trail.problems.length === 0) console.log(`审计日志 ${trail.rows} 行，一行不缺，与写入时一致`);
  if (findings.length + trail.problems.length === 0) return;
  process.exitCode = 1;
}

const VERDICT: Record<string, string> = { agrees: '一致', differs: '有差异', unknown: '未能确认' };

/** What of a real account was looked at, and what was not. */
function unaskedOf({ user, account, told, checked }: RealAccount): string {
  const daily = checked
    ? `${VERDICT[checked.verdict]}（${new Date(checked.at).toISOString().slice(0, 16).replace('T', ' ')} UTC）`
    : '还没有做过';
  return `实盘账户 ${user} ${account}：按已写下的 ${told} 条交易所记录核对，没有再问交易所现在的持仓与余额；每日对账：${daily}`;
}

await runProgram(main);
