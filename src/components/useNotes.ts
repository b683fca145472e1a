import { useMemo, useState } from 'react';
import { failureText } from '@/services/CallError';
import type { NoteDraft } from './noteDraft';

/** A note with who wrote it last, and when. */
export interface Note {
  note: string;
  noteBy: string | null;
  noteAt: number | null;
}

interface Kept {
  draft?: NoteDraft;
  /** What this visit has saved; the list may be older. */
  saved?: Note;
  /** What stood there before. */
  before?: string;
}

type Put = (id: string, change: Kept) => void;

/** Saves the note of a row. */
type Write = (id: string, note: string) => Promise<Note>;

async function saveNote(
  { put, write }: { put: Put; write: Write },
  id: string,
  text: string,
  before: string | undefined,
): Promise<void> {
  put(id, { draft: { text, saving: true } });
  try {
    const { note, noteBy, noteAt } = await write(id, text);
    put(id, { draft: undefined, saved: { note, noteBy, noteAt }, before });
  } catch (error) {
    put(id, { draft: { text, saving: false, error: failureText(error, '没有保存，请重试') } });
  }
}

/**
 * Notes being written, saved and taken back; a draft outlives refreshes, pages of the list and refusals.
 * @param write the same function at every drawing
 */
export function useNotes(write: Write) {
  const [kept, setKept] = useState<Record<string, Kept>>({});
  // The same object while no note changes: every row of the list is drawn from it.
  return useMemo(() => {
    const put: Put = (id, change) => setKept((now) => ({ ...now, [id]: { ...now[id], ...change } }));
    return {
      /** The newest that is known of a row's note. */
      noteOf: (row: Note & { id: string }): Note => {
        const saved = kept[row.id]?.saved;
        return saved && (row.noteAt ?? 0) <= (saved.noteAt ?? 0) ? saved : row;
      },
      draftOf: (id: string) => kept[id]?.draft,
      beforeOf: (id: string) => kept[id]?.before,
      write: (id: string, text: string) => put(id, { draft: { text, saving: false } }),
      discard: (id: string) => put(id, { draft: undefined }),
      save: (id: string, text: string, before: string) => saveNote({ put, write }, id, text, before),
      undo: (id: string) => saveNote({ put, write }, id, kept[id]?.before ?? '', undefined),
    };
  }, [kept, write]);
}

export type Notes = ReturnType<typeof useNotes>;
