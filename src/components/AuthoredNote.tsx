import styles from './AuthoredNote.module.css';
import { formatDateTime } from './DateTime';
import { NoteCell } from './NoteCell';
import type { Note, Notes } from './useNotes';

interface AuthoredNoteProps {
  /** What the note is about, with its kind. */
  label: string;
  row: Note & { id: string };
  notes: Notes;
}

/** Who wrote a note, and when; undefined where nobody did. */
export const authorOf = ({ noteBy, noteAt }: Note): string | undefined =>
  noteBy !== null && noteAt !== null ? `${noteBy} · ${formatDateTime(noteAt)}` : undefined;

/** A note, written right here; who wrote it and when; taken back while the screen is open. */
export function AuthoredNote({ label, row, notes }: AuthoredNoteProps) {
  const known = notes.noteOf(row);
  const draft = notes.draftOf(row.id);
  const before = notes.beforeOf(row.id);
  const author = authorOf(known);
  return (
    <div className={styles.noteCell}>
      <NoteCell
        label={label}
        note={known.note}
        placeholder="写备注"
        draft={draft}
        onWrite={(text) => notes.write(row.id, text)}
        onSave={() => draft && void notes.save(row.id, draft.text, known.note)}
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
