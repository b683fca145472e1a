import { LRUCache } from 'lru-cache';

interface Kept<T> {
  version: string;
  answer: Promise<T>;
}

/** Keeps the answer to each question for as long as what it was read from has the same version. */
export class VersionedCache<T> {
  readonly #kept: LRUCache<string, Kept<T>>;

  /** @param max answers that are kept at most. */
  constructor(max: number) {
    this.#kept = new LRUCache({ max });
  }

  /** The answer by this version, read once however many ask. A read that failed is not kept. */
  of(question: string, version: string, read: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(question);
    if (known?.version === version) return known.answer;
    const kept = { version, answer: read() };
    this.#kept.set(question, kept);
    kept.answer.catch(() => {
      if (this.#kept.peek(question) === kept) this.#kept.delete(question);
    });
    return kept.answer;
  }
}
