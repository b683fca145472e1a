import { Button, Input } from 'antd';
import type { KeyboardEvent } from 'react';
import { NOTE_LENGTH } from '#contract/evaluate';
import desk from './index.module.css';
import styles from './NoteCell.module.css';
import type { NoteDraft } from './useNotes';

const LINES = { minRows: 1, maxRows: 6 };

interface NoteEditorProps {
  name: string;
  draft: NoteDraft;
  onWrite: (text: string) => void;
  onSave: () => void;
  onDiscard: () => void;
}

/** Writes a note: Enter saves, Shift+Enter starts a line, Esc puts it away. */
export default function NoteEditor({ name, draft, onWrite, onSave, onDiscard }: NoteEditorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the choice of a Chinese word; that is no wish to save.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      // The drawer around it would close as well.
      event.stopPropagation();
      onDiscard();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    onSave();
  };
  return (
    <div className={styles.noteCell}>
      <Input.TextArea
        autoFocus
        autoSize={LINES}
        maxLength={NOTE_LENGTH}
        aria-label={`${name} 的备注`}
        value={draft.text}
        status={draft.error ? 'error' : undefined}
        disabled={draft.saving}
        onChange={({ target }) => onWrite(target.value)}
        onKeyDown={onKeyDown}
      />
      {draft.error && (
        <div role="alert" className={styles.refusal}>
          {draft.error}
        </div>
      )}
      <div className={desk.rowActions}>
        <Button size="small" type="primary" loading={draft.saving} onClick={onSave}>
          保存
        </Button>
        <Button size="small" disabled={draft.saving} onClick={onDiscard}>
          取消
        </Button>
      </div>
    </div>
  );
}
