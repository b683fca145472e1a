import type { Audit } from '../engine/audit';
import { readConfig } from '../start/config';
import { withControl } from '../start/controlClient';
import { runProgram } from '../start/runProgram';

/** Checks that ledger, positions, orders and venue agree, of the running server or of the data folder. */
async function main(): Promise<void> {
  const { books, deals, ledgerRows, stopped, findings } = await withControl(readConfig(), (call) =>
    call<Audit>('GET', '/audit'),
  );
  console.log(`账户 ${books}，对冲单 ${deals}，账本 ${ledgerRows} 行，风控拦截 ${stopped} 次`);
  for (const { user, what } of findings) console.log(`${user}：${what}`);
  if (findings.length === 0) {
    console.log('账本、持仓、订单与交易所一致');
    return;
  }
  console.log(`不一致 ${findings.length} 处`);
  process.exitCode = 1;
}

await runProgram(main);
