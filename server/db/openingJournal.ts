import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Beyond this the journal gives up, whole: half of an undo would be worse than none. */
const LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * Remembers every file as it was before the database's start first touched it, so that a folder
 * that turns out not to open is left as it was found.
 */
export class OpeningJournal {
  #before: Map<string, Buffer | null> | null = new Map();
  #bytes = 0;

  remember(file: string): void {
    if (this.#before === null || this.#before.has(file)) return;
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) return;
    const content = found ? readFileSync(file) : null;
    this.#bytes += content?.length ?? 0;
    if (this.#bytes > LIMIT_BYTES) this.#before = null;
    else this.#before.set(file, content);
  }

  undo(): void {
    for (const [file, content] of this.#before ?? []) {
      if (content === null) rmSync(file, { force: true, recursive: true });
      else writeFileSync(file, content);
    }
    this.#before = null;
  }
}
