import type { FastifyInstance } from 'fastify';
import { type EvaluateRow, evaluate, VISITOR_ROWS } from '#contract/evaluate';
import { type Edit, editEvaluation, editsOf, evaluationOfSymbol, evaluationsOf } from '../../base/db/markets/evaluate';
import { noteChange } from '../../base/http/auditTrail';
import { route, type SignedInCall } from '../../base/http/route';
import { evaluateRows, queryRows } from '../../desk/selection/evaluateRows';
import { type Ranking, rankingOf } from '../../desk/selection/ranking';
import { visibleInstant } from '../../desk/selection/visitor';
import { instrumentOf, marketOf } from '../../desk/symbol/marketOf';
import type { Market } from '../../market/exchange';
import type { Deps } from '../deps';

type Editing = Pick<SignedInCall<typeof evaluate.note>, 'user' | 'request'>;

/** The neutral selection, and what master and editor write into it. */
export function evaluateRoutes(app: FastifyInstance, { db, markets, clock }: Deps): void {
  const { home } = markets;
  const rowsOf = async (market: Market, ranking: Ranking, at: number): Promise<EvaluateRow[]> => {
    const [instruments, tickers, evaluations] = await Promise.all([
      market.instruments(),
      market.tickers(at),
      evaluationsOf(db, market.source),
    ]);
    return evaluateRows({ ranking, instruments, tickers, evaluations });
  };

  route(app, evaluate.list, async ({ query, user }) => {
    const market = await marketOf(markets, query.source);
    const at = visibleInstant(clock(), user);
    const ranking = await rankingOf(markets, market, at);
    const all = await rowsOf(market, ranking, at);
    // A visitor's twenty are the best ranked ones whatever the filter, so no filter or page shows more.
    const visible = user ? all : all.slice(0, VISITOR_ROWS).map((row) => ({ ...row, noteBy: null }));
    const rows = queryRows(visible, query);
    const first = (query.current - 1) * query.pageSize;
    return {
      list: rows.slice(first, first + query.pageSize),
      total: rows.length,
      asOf: ranking.asOf,
      ranked: ranking.rows.length,
      delayed: user === null,
      stale: ranking.stale,
      tooShort: ranking.tooShort,
    };
  });

  route(app, evaluate.history, async ({ query }) => {
    const market = await marketOf(markets, query.source);
    const { symbol } = await instrumentOf(market, query.symbol);
    const price = await priceOf(market, symbol, clock());
    const { list, total } = await editsOf(db, query, query);
    return {
      list: list.map((edit) => ({ ...edit, field: fieldOf(edit.field), changeSince: since(edit.price, price) })),
      total,
    };
  });

  const edit = async (symbol: string, source: string, change: Edit['change'], { user, request }: Editing) => {
    const market = await marketOf(markets, source);
    await instrumentOf(market, symbol);
    const at = clock();
    const price = await priceOf(market, symbol, at);
    const before = (await evaluationOfSymbol(db, source, symbol))[change.field];
    const { direction, note, author, updatedAt } = await editEvaluation(db, {
      source,
      symbol,
      change,
      authorId: user.id,
      at,
      price,
    });
    noteChange(request, { [change.field]: before }, { [change.field]: change.value });
    return { symbol, direction, note, noteBy: author, updatedAt };
  };

  route(app, evaluate.note, async ({ body: { symbol, note, source }, ...call }) =>
    edit(symbol, source ?? home, { field: 'note', value: note ?? '' }, call),
  );
  route(app, evaluate.direction, async ({ body: { symbol, direction, source }, ...call }) =>
    edit(symbol, source ?? home, { field: 'direction', value: direction }, call),
  );
}

async function priceOf(market: Market, symbol: string, at: number): Promise<number | null> {
  return (await market.tickers(at)).find((ticker) => ticker.symbol === symbol)?.price ?? null;
}

const since = (then: number | null, now: number | null) => (then === null || now === null ? null : now / then - 1);
const fieldOf = (field: string): 'direction' | 'note' => (field === 'direction' ? 'direction' : 'note');
