import type { EvaluateRow } from '#contract/evaluate';
import { NoteCell, NoteText } from '@/components/NoteCell';
import { useSelection } from './selectionContext';

/** The team's note; who may edit it writes right here. */
export function EvaluateNote({ row }: { row: EvaluateRow }) {
  const { editable, draftOf, setDraft, saveNote } = useSelection();
  const { symbol, note } = row;
  if (!editable) return <NoteText note={note} placeholder="-" />;
  return (
    <NoteCell
      label={`${symbol} 的评价`}
      note={note}
      placeholder="写评价"
      draft={draftOf(symbol)}
      onWrite={(text) => setDraft(symbol, text)}
      onSave={() => saveNote(row)}
      onDiscard={() => setDraft(symbol, null)}
    />
  );
}
