import type { HedgeRow } from '#contract/hedge';
import { formatDateTime } from '@/components/DateTime';
import { NoteCell } from '@/components/NoteCell';
import styles from './HedgeNote.module.css';
import { useHedgeScreen } from './hedgeContext';

/** A hedge's note, written right here; who wrote it and when; taken back while the screen is open. */
export function HedgeNote({ row }: { row: Pick<HedgeRow, 'id' | 'note' | 'noteBy' | 'noteAt' | 'long' | 'short'> }) {
  const { notes } = useHedgeScreen();
  const { note, noteBy, noteAt } = notes.noteOf(row);
  const draft = notes.draftOf(row.id);
  const before = notes.beforeOf(row.id);
  const author = noteBy !== null && noteAt !== null ? `${noteBy} · ${formatDateTime(noteAt)}` : undefined;
  return (
    <div className={styles.noteCell}>
      <NoteCell
        label={`${row.long} / ${row.short} 的备注`}
        note={note}
        placeholder="写备注"
        draft={draft}
        onWrite={(text) => notes.write(row.id, text)}
        onSave={() => draft && void notes.save(row.id, draft.text, note)}
        onDiscard={() => notes.discard(row.id)}
      />
      {!draft && (author || before !== undefined) && (
        <small className="soft">
          {author}
          {before !== undefined && (
            <button type="button" className={styles.undo} onClick={() => void notes.undo(row.id)}>
              撤销
            </button>
          )}
        </small>
      )}
    </div>
  );
}
