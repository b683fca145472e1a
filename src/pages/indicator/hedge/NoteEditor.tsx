import { Button, Input } from 'antd';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type EvaluateRow, NOTE_LENGTH } from '#contract/evaluate';
import styles from './index.module.css';
import { useSelection } from './selectionContext';
import type { NoteDraft } from './useEvaluateEdit';

const LINES = { minRows: 1, maxRows: 6 };

/** Writes a note: Enter saves, Shift+Enter starts a line, Esc puts it away. */
export default function NoteEditor({ row, draft }: { row: EvaluateRow; draft: NoteDraft }) {
  const { setDraft, saveNote } = useSelection();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: newer browsers answer a promise, which React would take for the effect's clean-up.
    place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the choice of a Chinese word; that is no wish to save.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') setDraft(row.symbol, null);
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    saveNote(row);
  };
  return (
    <div ref={place} className={styles.noteEditor}>
      <Input.TextArea
        autoFocus
        autoSize={LINES}
        maxLength={NOTE_LENGTH}
        aria-label={`${row.symbol} 的评价`}
        value={draft.text}
        status={draft.error ? 'error' : undefined}
        disabled={draft.saving}
        onChange={({ target }) => setDraft(row.symbol, target.value)}
        onKeyDown={onKeyDown}
      />
      {draft.error && (
        <div role="alert" className={styles.refusal}>
          {draft.error}
        </div>
      )}
      <div className={styles.noteActions}>
        <Button size="small" type="primary" loading={draft.saving} onClick={() => saveNote(row)}>
          保存
        </Button>
        <Button size="small" disabled={draft.saving} onClick={() => setDraft(row.symbol, null)}>
          取消
        </Button>
      </div>
    </div>
  );
}
