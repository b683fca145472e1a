import { backtestFigures } from './backtest';
import { backtestHttpFigures } from './backtestHttp';
import { crashFigures } from './crashes';
import { databaseFigures } from './database';
import { engineFigures } from './engine';
import { evaluateFigures } from './evaluate';
import type { Figure } from './figure';
import { followedFigures } from './followed';
import { fundingFigures } from './funding';
import { fuzzFigures } from './fuzz';
import { growthFigures } from './growth';
import { killFigures } from './kills';
import { marketFigures } from './market';
import { neighbourFigures } from './neighbours';
import { pageFigures } from './pages';
import { processFigures } from './processes';
import { realFaultFigures } from './realFaults';
import { realKillFigures } from './realKills';
import { restFigures } from './rest';
import { rowFigures } from './rows';
import { scanFigures } from './scan';
import { strategyFigures } from './strategies';
import { streamFigures } from './stream';

const BENCHES: Record<string, () => Promise<Figure[]>> = {
  backtest: backtestFigures,
  backtestHttp: backtestHttpFigures,
  evaluate: evaluateFigures,
  market: marketFigures,
  crashes: crashFigures,
  database: databaseFigures,
  stream: streamFigures,
  scan: scanFigures,
  followed: followedFigures,
  funding: fundingFigures,
  neighbours: neighbourFigures,
  engine: engineFigures,
  growth: growthFigures,
  strategies: strategyFigures,
  kills: killFigures,
  realFaults: realFaultFigures,
  realKills: realKillFigures,
  fuzz: fuzzFigures,
  pages: pageFigures,
  processes: processFigures,
  rest: restFigures,
  rows: rowFigures,
};

/** `npm run bench [-- NAME ...]`: every figure as one JSON line. */
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`没有这个基准：${unknown.join('、')}；可选 ${Object.keys(BENCHES).join('、')}`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const figure of await bench()) console.log(JSON.stringify(figure));
}
process.exit(0);
