import { EditOutlined } from '@ant-design/icons';
import { Suspense } from 'react';
import { late } from './late';
import styles from './NoteCell.module.css';
import type { NoteActs, NoteDraft } from './noteDraft';

const NoteEditor = late(() => import('./NoteEditor'));

interface NoteCellProps extends NoteActs {
  /** What the note is about, with its kind: BTCUSDT 的评价. */
  label: string;
  note: string;
  /** Stands there while nothing is written. */
  placeholder: string;
  draft: NoteDraft | undefined;
}

/** A note, and the way to write it right here. */
export function NoteCell({ label, note, placeholder, draft, ...does }: NoteCellProps) {
  if (draft) {
    return (
      <Suspense fallback={draft.text}>
        <NoteEditor label={label} draft={draft} {...does} onClose={does.onDiscard} />
      </Suspense>
    );
  }
  return (
    <div className={styles.plain}>
      <NoteText note={note} placeholder={placeholder} />
      <button type="button" className={styles.edit} aria-label={`编辑 ${label}`} onClick={() => does.onWrite(note)}>
        <EditOutlined className="missing" />
      </button>
    </div>
  );
}

/** A note that is only read: two lines of it, or as many as the list has room for, the rest under the pointer. */
export function NoteText({ note, placeholder }: Pick<NoteCellProps, 'note' | 'placeholder'>) {
  return (
    <span className={note === '' ? 'missing' : styles.note} title={note}>
      {note || placeholder}
    </span>
  );
}
