/** A note being written; it stays until it is saved or put away, whatever the server says. */
export interface NoteDraft {
  text: string;
  saving: boolean;
  error?: string;
}

export interface NoteActs {
  onWrite: (text: string) => void;
  onSave: () => void;
  onDiscard: () => void;
}
