import { and, count, desc, eq } from 'drizzle-orm';
import type { Direction } from '#contract/evaluate';
import type { Database, Queries } from '../client';
import { evaluate, evaluateEdit, user } from '../schema';

/** What the team thinks of a coin; `author` and `updatedAt` (UTC ms) are `null` when nobody ever said. */
export interface EvaluationRow {
  direction: Direction | null;
  note: string;
  author: string | null;
  updatedAt: number | null;
}

export const NO_EVALUATION: EvaluationRow = { direction: null, note: '', author: null, updatedAt: null };

const columns = {
  symbol: evaluate.symbol,
  direction: evaluate.direction,
  note: evaluate.note,
  author: user.name,
  updatedAt: evaluate.updatedAt,
};

type StoredRow = { direction: string | null; note: string; author: string; updatedAt: number };

const evaluationOf = ({ direction, note, author, updatedAt }: StoredRow): EvaluationRow => ({
  // Only `editEvaluation` writes the column.
  direction: direction as Direction | null,
  note,
  author,
  updatedAt,
});

/** All evaluations of a source by symbol. */
export async function evaluationsOf(db: Database, source: string): Promise<Map<string, EvaluationRow>> {
  const rows = await db
    .select(columns)
    .from(evaluate)
    .innerJoin(user, eq(user.id, evaluate.updatedBy))
    .where(eq(evaluate.source, source));
  return new Map(rows.map((row) => [row.symbol, evaluationOf(row)]));
}

export async function evaluationOfSymbol(db: Queries, source: string, symbol: string): Promise<EvaluationRow> {
  const [row] = await db
    .select(columns)
    .from(evaluate)
    .innerJoin(user, eq(user.id, evaluate.updatedBy))
    .where(and(eq(evaluate.source, source), eq(evaluate.symbol, symbol)));
  return row ? evaluationOf(row) : NO_EVALUATION;
}

export interface Edit {
  source: string;
  symbol: string;
  /** What is taken back is null, or an empty note. */
  change: { field: 'note'; value: string } | { field: 'direction'; value: Direction | null };
  authorId: string;
  /** UTC ms. */
  at: number;
  /** Price at that moment, USDT; `null` when unknown. */
  price: number | null;
}

/**
 * Writes one field of an evaluation and its history in one transaction; a value that is there already
 * writes nothing.
 */
export async function editEvaluation(db: Database, edit: Edit): Promise<EvaluationRow> {
  const { source, symbol, change } = edit;
  return db.transaction(async (tx) => {
    const place = and(eq(evaluate.source, source), eq(evaluate.symbol, symbol));
    const standing = await lockOrCreate(tx, edit);
    const [before, after] = [standing[change.field] ?? '', change.value ?? ''];
    if (before !== after) {
      // Strictly ascending a coin, so that the history of two quick edits never reads in the wrong order.
      const at = Math.max(edit.at, standing.updatedAt + 1);
      const { authorId, price } = edit;
      await tx
        .update(evaluate)
        .set({ [change.field]: change.value, updatedBy: authorId, updatedAt: at })
        .where(place);
      await tx.insert(evaluateEdit).values({ source, symbol, field: change.field, before, after, price, authorId, at });
    } else if (standing.created) {
      await tx.delete(evaluate).where(place);
    }
    return evaluationOfSymbol(tx, source, symbol);
  });
}

/** The coin's row, locked against other edits; made when there was none, so that two first edits queue up as well. */
async function lockOrCreate(tx: Queries, { source, symbol, authorId, at }: Edit) {
  const made = await tx
    .insert(evaluate)
    .values({ source, symbol, updatedBy: authorId, updatedAt: at - 1 })
    .onConflictDoNothing()
    .returning();
  if (made[0]) return { ...made[0], created: true };
  const place = and(eq(evaluate.source, source), eq(evaluate.symbol, symbol));
  const [row] = await tx.select().from(evaluate).where(place).for('update');
  if (!row) throw new Error('an evaluation vanished between two statements');
  return { ...row, created: false };
}

interface EditRow {
  id: string;
  field: string;
  before: string;
  after: string;
  author: string;
  at: number;
  price: number | null;
}

/** A page of a coin's edits, newest first, and how many there are. */
export async function editsOf(
  db: Database,
  { source, symbol }: { source: string; symbol: string },
  { current, pageSize }: { current: number; pageSize: number },
): Promise<{ list: EditRow[]; total: number }> {
  const place = and(eq(evaluateEdit.source, source), eq(evaluateEdit.symbol, symbol));
  const { id, field, before, after, at, price } = evaluateEdit;
  const list = await db
    .select({ id, field, before, after, at, price, author: user.name })
    .from(evaluateEdit)
    .innerJoin(user, eq(user.id, evaluateEdit.authorId))
    .where(place)
    .orderBy(desc(at), desc(id))
    .limit(pageSize)
    .offset((current - 1) * pageSize);
  const [all] = await db.select({ total: count() }).from(evaluateEdit).where(place);
  return { list, total: all?.total ?? 0 };
}
