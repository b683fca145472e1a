import { parseArgs } from 'node:util';
import { BARS, type Bar, isLiveSource, SIMULATED } from '#contract/candle';
import type { Merged } from '../../base/db/markets/mergeSeries';
import { StartRefusal } from '../../base/startRefusal';
import { readConfig } from '../config';
import { withControl } from '../controlClient';
import { bodyOf, fundingBodyOf, type ImportRun, type ReportOutput, runImport } from '../import/runImport';
import { runProgram } from '../runProgram';

const USAGE = `用法：npm run import -- 路径 [路径…] [--exchange 名字] [--bar ${BARS.join('|')}] [--zone +08:00] [--dry-run]
路径是 CSV、CSV.GZ、ZIP 文件，或含有它们的文件夹。币种取自文件名（BTCUSDT.csv、BTCUSDT-1h-2024-01.csv；
BTC_USDT.csv 或 BTC%2FUSDT.csv 即 BTC/USDT），交易所与周期不指明时取自文件夹名、文件名或行间隔。
资金费文件含 symbol、time（date、fundingTime）、rate（fundingRate）列；--zone 是没有写明时区的日期所在的时区，默认 UTC。`;

const CLEAR_LINE = '\r\x1b[2K';

/** On a terminal the file at work is shown in the last line; elsewhere only what stays is written. */
function terminalOutput({ stdout }: NodeJS.Process): ReportOutput {
  const isTerminal = stdout.isTTY === true;
  let files = 0;
  return {
    line: (text) => stdout.write(`${isTerminal ? CLEAR_LINE : ''}${text}\n`),
    progress: (label) => {
      files += 1;
      if (isTerminal) stdout.write(`${CLEAR_LINE}正在导入第 ${files} 个：${label}`);
    },
  };
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        exchange: { type: 'string' },
        bar: { type: 'string' },
        zone: { type: 'string' },
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch {
    throw new StartRefusal(USAGE);
  }
}

function checkedRun({ values, positionals }: ReturnType<typeof readArguments>): ImportRun {
  if (positionals.length === 0) throw new StartRefusal(USAGE);
  const exchange = values.exchange?.toLowerCase();
  if (exchange !== undefined && !/^[a-z0-9-]{1,32}$/.test(exchange)) {
    throw new StartRefusal('--exchange 只能用字母、数字和 -，最长 32 个字');
  }
  if (exchange === SIMULATED) throw new StartRefusal(`${SIMULATED} 是内置行情的名字，请换一个交易所名`);
  if (exchange !== undefined && isLiveSource(exchange)) {
    throw new StartRefusal(`${exchange} 是实时行情的名字，请换一个交易所名`);
  }
  if (values.bar !== undefined && !BARS.includes(values.bar as Bar)) {
    throw new StartRefusal(`--bar 只能是 ${BARS.join('、')} 之一，现在是 ${values.bar}`);
  }
  const { zone } = values;
  if (zone !== undefined && !/^[+-](0\d|1[0-4]):[0-5]\d$/.test(zone)) {
    throw new StartRefusal(`--zone 写作 +08:00 或 -05:00，现在是 ${zone}`);
  }
  const bar = values.bar as Bar | undefined;
  return { paths: positionals, exchange, bar, zone, now: Date.now(), isDryRun: values['dry-run'] === true };
}

async function main(): Promise<void> {
  const parsed = readArguments();
  if (parsed.values.help) return console.log(USAGE);
  const run = checkedRun(parsed);
  const output = terminalOutput(process);
  const nothing = async () => null;
  // A dry run leaves no trace: it does not even open the data folder.
  const totals = run.isDryRun
    ? await runImport(run, nothing, output)
    : await withControl(readConfig(), (call) =>
        runImport(
          run,
          (series) =>
            'candles' in series
              ? call<Merged>('POST', '/import/series', bodyOf(series))
              : call<Merged>('POST', '/import/funding', fundingBodyOf(series)),
          output,
        ),
      );
  if (totals.failed > 0 || totals.imported === 0) process.exitCode = 1;
}

await runProgram(main);
