import { EditOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { lazy, Suspense } from 'react';
import type { HedgeRow } from '#contract/hedge';
import { formatDateTime } from '@/components/DateTime';
import { useHedgeScreen } from './hedgeContext';
import styles from './NoteCell.module.css';

const NoteEditor = lazy(() => import('./NoteEditor'));

/** A hedge's note, written right here; who wrote it and when; taken back while the screen is open. */
export function NoteCell({ row }: { row: Pick<HedgeRow, 'id' | 'note' | 'noteBy' | 'noteAt' | 'long' | 'short'> }) {
  const { notes } = useHedgeScreen();
  const { note, noteBy, noteAt } = notes.noteOf(row);
  const name = `${row.long} / ${row.short}`;
  const draft = notes.draftOf(row.id);
  if (draft) {
    return (
      <Suspense fallback={draft.text}>
        <NoteEditor
          name={name}
          draft={draft}
          onWrite={(text) => notes.write(row.id, text)}
          onSave={() => void notes.save(row.id, draft.text, note)}
          onDiscard={() => notes.discard(row.id)}
        />
      </Suspense>
    );
  }
  const author = noteBy !== null && noteAt !== null ? `${noteBy} · ${formatDateTime(noteAt)}` : undefined;
  return (
    <div className={styles.noteCell}>
      <Tooltip title={note === '' ? undefined : note}>
        <button
          type="button"
          className={styles.plain}
          aria-label={`编辑 ${name} 的备注`}
          onClick={() => notes.write(row.id, note)}
        >
          <span className={note === '' ? 'missing' : styles.note}>{note || '写备注'}</span>
          <EditOutlined className="missing" />
        </button>
      </Tooltip>
      {(author || notes.beforeOf(row.id) !== undefined) && (
        <small className="soft">
          {author}
          {notes.beforeOf(row.id) !== undefined && (
            <button type="button" className={styles.detailLink} onClick={() => void notes.undo(row.id)}>
              撤销
            </button>
          )}
        </small>
      )}
    </div>
  );
}
