import type { ChainCheck } from '../../base/db/records/auditTrail';
import type { Audit } from '../../engine/audit';
import { readConfig } from '../config';
import { withControl } from '../controlClient';
import { runProgram } from '../runProgram';

/** Checks that ledger, positions, orders and venue agree, and that the audit log is whole, of the running server or of the data folder. */
async function main(): Promise<void> {
  const { books, deals, ledgerRows, stopped, findings, trail } = await withControl(readConfig(), (call) =>
    call<Audit & { trail: ChainCheck }>('GET', '/audit'),
  );
  console.log(`账户 ${books}，对冲单 ${deals}，账本 ${ledgerRows} 行，风控拦截 ${stopped} 次`);
  for (const { user, what } of findings) console.log(`${user}：${what}`);
  console.log(findings.length === 0 ? '账本、持仓、订单与交易所一致' : `不一致 ${findings.length} 处`);
  for (const problem of trail.problems) console.log(problem);
  if (trail.problems.length === 0) console.log(`审计日志 ${trail.rows} 行，一行不缺，与写入时一致`);
  if (findings.length + trail.problems.length === 0) return;
  process.exitCode = 1;
}

await runProgram(main);
