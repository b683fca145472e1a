import { useRef, useState } from 'react';
import type { DataOf } from '#contract/endpoint';
import { type Direction, type EvaluateRow, evaluate } from '#contract/evaluate';
import type { NoteDraft } from '@/components/noteDraft';
import { failureText } from '@/services/CallError';
import { call } from '@/services/call';
import type { CallState } from '@/services/useCall';

type List = DataOf<typeof evaluate.list>;
type Changes = Partial<Pick<EvaluateRow, 'direction' | 'note' | 'noteBy' | 'updatedAt'>>;

/** Edits of direction and note: shown at once, taken back when the server refuses. */
export function useEvaluateEdit(source: string, mutate: CallState<List>['mutate']) {
  const [drafts, setDrafts] = useState<Record<string, NoteDraft>>({});
  const sourceNow = useRef(source);
  sourceNow.current = source;

  const patch = (symbol: string, changes: Changes) => {
    // The other source's coin of the same name is another coin.
    if (sourceNow.current !== source) return;
    void mutate((now) => {
      if (now === undefined) return now as unknown as List;
      return { ...now, list: now.list.map((row) => (row.symbol === symbol ? { ...row, ...changes } : row)) };
    });
  };
  const putDraft = (symbol: string, draft: NoteDraft | null) =>
    setDrafts(({ [keyOf(source, symbol)]: _before, ...rest }) =>
      draft === null ? rest : { ...rest, [keyOf(source, symbol)]: draft },
    );

  const setDirection = async (row: EvaluateRow, direction: Direction | null) => {
    if (row.direction === direction) return;
    patch(row.symbol, { direction });
    try {
      const answer = await call(evaluate.direction, { body: { source, symbol: row.symbol, direction } });
      patch(row.symbol, { direction: answer.direction, noteBy: answer.noteBy, updatedAt: answer.updatedAt });
    } catch {
      patch(row.symbol, { direction: row.direction });
    }
  };

  const saveNote = async (row: EvaluateRow) => {
    const draft = drafts[keyOf(source, row.symbol)];
    if (draft === undefined || draft.saving) return;
    const { text } = draft;
    putDraft(row.symbol, { text, saving: true });
    patch(row.symbol, { note: text.trim() });
    try {
      const answer = await call(evaluate.note, { body: { source, symbol: row.symbol, note: text } });
      patch(row.symbol, { note: answer.note, noteBy: answer.noteBy, updatedAt: answer.updatedAt });
      putDraft(row.symbol, null);
    } catch (error) {
      patch(row.symbol, { note: row.note });
      putDraft(row.symbol, { text, saving: false, error: failureText(error, '没有保存，请重试') });
    }
  };

  return {
    draftOf: (symbol: string) => drafts[keyOf(source, symbol)],
    setDraft: (symbol: string, text: string | null) => putDraft(symbol, text === null ? null : { text, saving: false }),
    setDirection,
    saveNote,
  };
}

const keyOf = (source: string, symbol: string) => `${source} ${symbol}`;
