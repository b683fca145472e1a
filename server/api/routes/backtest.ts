import type { FastifyInstance, FastifyReply } from 'fastify';
import { Value } from 'typebox/value';
import { BACKTEST_DAYS, BacktestQuery, backtest } from '#contract/backtest';
import { DAY_MS } from '#contract/duration';
import { VISITOR_ROWS } from '#contract/evaluate';
import { basketOf } from '#contract/pair';
import { networkOf } from '../../base/http/apiCall';
import { invalid, Refusal, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import type { BacktestInput } from '../../base/maths/backtest';
import { createWorkPool, type WorkPool } from '../../base/work/workPool';
import type { BacktestAnswer, BacktestFigures } from '../../desk/backtest/backtest.worker';
import { backtestInput } from '../../desk/backtest/backtestInput';
import { rankingOf } from '../../desk/selection/ranking';
import { visibleInstant } from '../../desk/selection/visitor';
import type { PairRunResult, PairRunsTask } from '../../desk/statistic/pairRuns';
import { marketOf } from '../../desk/symbol/marketOf';
import { hedgeBacktest } from '../../kinds/hedge/backtest';
import { readableHedge } from '../../kinds/hedge/liveRows';
import { countTrial } from '../../people/auth/attempts';
import type { Deps } from '../deps';

type Needs = Pick<Deps, 'db' | 'clock' | 'markets' | 'pairModels'>;

/** GET /api/test/hedge and /api/hedge/backtest: backtests, computed in threads of their own from stored candles. */
export function backtestRoutes(app: FastifyInstance, deps: Needs): void {
  const { db, clock, markets } = deps;
  const work = createWorkPool();
  app.addHook('onClose', () => work.close());

  route(app, backtest.hedge, ({ query, user, reply }) =>
    work.hold(user.id, async () => {
      const market = await marketOf(markets, query.source);
      const { input, bar, long, short } = await backtestInput(market, query);
      const figures = await compute(work, input, query, reply);
      return { source: market.source, bar, long, short, capital: query.capital, ...figures };
    }),
  );

  // Whoever asks is a visitor here.
  route(app, backtest.trial, ({ query, request, reply }) =>
    work.hold(networkOf(request.ip), async () => {
      const market = await marketOf(markets, query.source);
      const at = visibleInstant(clock(), null);
      const { rows } = await rankingOf(markets, market, at);
      const seen = new Set(rows.slice(0, VISITOR_ROWS).map(({ symbol }) => symbol));
      for (const side of ['long', 'short'] as const) {
        const unseen = basketOf(query[side]).filter((symbol) => !seen.has(symbol));
        if (unseen.length > 0)
          throw invalid(side, `访客只能试所见的前 ${VISITOR_ROWS} 个币种，没有 ${unseen.join('、')}`);
      }
      // As long as for others, who count back from the last close of a day.
      const window = { start: Math.floor(at / DAY_MS) * DAY_MS - BACKTEST_DAYS * DAY_MS, end: at };
      const whole = Value.Default(BacktestQuery, { ...query, ...window }) as BacktestQuery;
      const { input, bar, long, short } = await backtestInput(market, whole);
      await countTrial(db, clock, request.ip);
      const figures = await compute(work, input, whole, reply);
      return { source: market.source, bar, long, short, capital: whole.capital, ...figures };
    }),
  );

  const pairRuns = (task: PairRunsTask) => work.run<PairRunsTask, PairRunResult[]>('desk/statistic/pairRuns', task);
  route(app, backtest.ofHedge, ({ query, user }) =>
    work.hold(user.id, async () => {
      const record = await readableHedge(db, user, query.id);
      return hedgeBacktest(deps, pairRuns, record, clock());
    }),
  );
}

async function compute(
  work: WorkPool,
  input: BacktestInput,
  query: BacktestQuery,
  reply: FastifyReply,
): Promise<BacktestFigures> {
  const gone = whenGone(reply);
  try {
    const answer = await work.run<BacktestInput, BacktestAnswer>('desk/backtest/backtest', input, gone);
    if ('figures' in answer) return answer.figures;
    if (answer.refusal.reason === 'noCommonHistory') throw noCommonHistory(input, query);
    throw new Error(`The maths refused a checked input: ${answer.refusal.message}`);
  } catch (error) {
    // Nobody reads this answer; it only keeps a cancelled run out of the log of failures.
    if (gone.aborted) throw new Refusal(499, 499, '请求已取消');
    throw error;
  }
}

/** Aborts when the caller hangs up before the answer went out: the thread is free for the next one. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Names the two symbols that leave the others no time together, rather than all forty. */
function noCommonHistory({ long, short, barMs }: BacktestInput, query: BacktestQuery): Refusal {
  const spans = [...long, ...short].map(({ symbol, bars: { time } }) => ({
    symbol,
    from: (time[0] ?? Number.POSITIVE_INFINITY) + barMs,
    to: (time.at(-1) ?? Number.NEGATIVE_INFINITY) + barMs,
  }));
  const youngest = spans.reduce((a, b) => (b.from > a.from ? b : a));
  const oldest = spans.reduce((a, b) => (b.to < a.to ? b : a));
  const detail = `${youngest.symbol} 自 ${dayOf(youngest.from)} 起，${oldest.symbol} 至 ${dayOf(oldest.to)} 止`;
  const windowed = query.start !== undefined || query.end !== undefined;
  return refused('backtestNoCommonHistory', detail, windowed ? 'start' : 'long');
}

const dayOf = (at: number) => (Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : '（无 K 线）');
