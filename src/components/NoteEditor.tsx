import { Button, Input } from 'antd';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { NOTE_LENGTH } from '#contract/evaluate';
import styles from './NoteCell.module.css';
import type { NoteActs, NoteDraft } from './noteDraft';

const LINES = { minRows: 1, maxRows: 6 };

interface NoteEditorProps extends NoteActs {
  label: string;
  draft: NoteDraft;
}

/** Writes a note: Enter saves, Shift+Enter starts a line, Esc puts it away. */
export default function NoteEditor({ label, draft, onWrite, onSave, onDiscard }: NoteEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: newer browsers answer a promise, which React would take for the effect's clean-up.
    place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the choice of a Chinese word; that is no wish to save.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      // A drawer around it would close as well.
      event.stopPropagation();
      onDiscard();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    onSave();
  };
  return (
    <div ref={place} className={styles.editor}>
      <Input.TextArea
        autoFocus
        autoSize={LINES}
        maxLength={NOTE_LENGTH}
        aria-label={label}
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
      <div className={styles.actions}>
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
