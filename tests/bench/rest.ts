import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '#contract/endpoint';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { service } from '#contract/service';
import { strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import { INSTRUMENT_KINDS } from '#server/market/exchange';
import { createSimulatedVenues } from '#server/market/simulated';
import { callServer } from '../support/callServer';
import { type ServerProcess, startServer } from '../support/serverProcess';
import { temporaryFolder } from '../support/temporaryFolder';
import type { Figure } from './figure';
import { processTree } from './processTree';

const BUDGET = { memory: 260, cpu: 3, first: 4, second: 1.5, past: 60, strategyCpu: 0.03, strategyMemory: 0.3 };
const REST_SECONDS = 60;
const STEP_SECONDS = 30;
/** What a start or many writes leave to do. */
const CALM_SECONDS = 10;
/** So many strategies wait at the end of each step. */
const STEPS = [50, 200];
const LATE_MS = 300_000;

const rounded = (value: number) => Math.round(value * 1000) / 1000;
const judged = (name: string, value: number, unit: string, budget: number): Figure => ({
  name: `rest.${name}`,
  value: rounded(value),
  unit,
  ratio: rounded(value / budget),
});

/** What server and database together take for so long: MB, and percent of a core. */
async function atRest(pid: number, seconds: number): Promise<{ mb: number; cpu: number }> {
  await sleep(CALM_SECONDS * 1000);
  const before = processTree(pid);
  const began = performance.now();
  await sleep(seconds * 1000);
  const after = processTree(pid);
  return { mb: after.mb, cpu: (100_000 * (after.seconds - before.seconds)) / (performance.now() - began) };
}

/** Prices have few digits. */
const near = (price: number) => Number(price.toPrecision(4));

/** Strategies of five kinds in turn, each on a coin, which wait for what does not come. */
async function waitingStrategies(now: number): Promise<{ kind: StrategyKind; params: object }[]> {
  const [first, second] = createSimulatedVenues({ clock: () => now });
  const listed = await first!.instruments(INSTRUMENT_KINDS);
  const elsewhere = new Set((await second!.instruments()).map(({ base }) => base));
  const coins = listed.flatMap(({ kind, base, symbol }) => {
    const far = listed.find((one) => one.base === base && one.kind === 'future')?.symbol;
    if (kind !== 'perpetual' || far === undefined || !elsewhere.has(base)) return [];
    return [{ base, symbol, far, price: first!.listed(symbol)!.ticker.price }];
  });
  return coins.flatMap(({ base, symbol, far, price }) => [
    { kind: 'fundingRate', params: { ...DEFAULT_FUNDING, coins: [base], entryApr: 10 } },
    { kind: 'spread', params: { ...DEFAULT_SPREAD, near: `${symbol}_SPOT`, far, entryApr: 10 } },
    { kind: 'cexRate', params: { ...DEFAULT_CEX_RATE, coins: [base], entryApr: 10 } },
    { kind: 'okx', params: { ...DEFAULT_OKX, coins: [base], entryBps: 500, stockNotional: null } },
    {
      kind: 'grid',
      params: {
        ...{
          ...DEFAULT_GRID,
          symbol,
          lower: near(price / 2),
          upper: near(price * 0.6),
          cells: 10,
          legNotional: 20_000,
        },
        triggerBelow: near(price * 0.55),
      },
    },
  ]);
}

/** The built product on an empty folder: its starts, its demo's past, what it takes at rest, and what strategies that wait add to it. */
export async function restFigures(): Promise<Figure[]> {
  const { buildMissing } = await import(path.resolve('server/build.mjs'));
  buildMissing(['server', 'console']);
  const options = { dataDir: path.join(temporaryFolder(), 'data'), built: true, env: { DEMO_STORY: '1' } };
  const first = await startServer(options);
  const figures = [judged('start.first', first.readyMs / 1000, 's', BUDGET.first)];
  try {
    figures.push(...(await ofDemo(first)), ...(await ofStrategies(first)));
  } finally {
    await first.kill();
  }
  const second = await startServer(options);
  figures.push(judged('start.second', second.readyMs / 1000, 's', BUDGET.second));
  await second.kill();
  return figures;
}

async function ofDemo({ url, child }: ServerProcess): Promise<Figure[]> {
  const began = performance.now();
  while ((await callServer(url, '', service.environment)).body.data?.preparing) {
    if (performance.now() - began > LATE_MS) throw new Error('the past is not told');
    await sleep(200);
  }
  const past = (performance.now() - began) / 1000;
  const { mb, cpu } = await atRest(child.pid!, REST_SECONDS);
  return [
    judged('past', past, 's', BUDGET.past),
    judged('memory', mb, 'MB', BUDGET.memory),
    judged('cpu', cpu, '%', BUDGET.cpu),
  ];
}

async function ofStrategies({ url, child }: ServerProcess): Promise<Figure[]> {
  const cookie = await signIn(url);
  const waiting = await waitingStrategies(Date.now());
  let before = await atRest(child.pid!, STEP_SECONDS);
  let made = 0;
  const figures: Figure[] = [];
  for (const step of STEPS) {
    const added = step - made;
    for (; made < step; made += 1) await startOne(url, cookie, made, waiting[made % waiting.length]!);
    const after = await atRest(child.pid!, STEP_SECONDS);
    const cpu = (after.cpu - before.cpu) / added;
    const mb = (after.mb - before.mb) / added;
    figures.push(
      judged(`strategy.upTo${step}.cpu`, cpu, '% each', BUDGET.strategyCpu),
      judged(`strategy.upTo${step}.memory`, mb, 'MB each', BUDGET.strategyMemory),
    );
    before = after;
  }
  return figures;
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username: 'master', password: 'demo-master' }),
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function startOne(
  url: string,
  cookie: string,
  number: number,
  { kind, params }: { kind: StrategyKind; params: object },
) {
  const ask = async <E extends Endpoint>(endpoint: E, body: object) => {
    const answer = await callServer(url, cookie, endpoint, { body: body as never, key: `${endpoint.path}-${number}` });
    if (answer.status >= 300) throw new Error(`${endpoint.path} answered ${JSON.stringify(answer.body)}`);
    return answer.body.data as { id: string };
  };
  const { id } = await ask(strategies.create, { kind, name: `等待 ${number}`, mode: 'paper', params });
  await ask(strategies.start, { id });
}
