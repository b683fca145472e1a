import { CallError } from './CallError';
import { newIdempotencyKey } from './call';

/** Whether nobody can tell from it what became of the write: no answer came, or one that gives no reason. */
const isLost = (error: unknown): boolean =>
  !(error instanceof CallError) || (error.failed && (typeof error.code === 'string' || error.code >= 500));

/**
 * Names of what one form or dialog writes. A write whose answer was lost keeps its name when the same is asked for again,
 * so that it is done once; what was answered, with success or a refusal, is asked for anew under another.
 */
export class WriteNames {
  readonly #byContent = new Map<string, string>();

  /** @param content all that the call depends on */
  async run<T>(content: unknown, write: (idempotencyKey: string) => Promise<T>): Promise<T> {
    const text = JSON.stringify(content);
    const name = this.#byContent.get(text) ?? newIdempotencyKey();
    this.#byContent.set(text, name);
    try {
      const answer = await write(name);
      this.#byContent.delete(text);
      return answer;
    } catch (error) {
      if (!isLost(error)) this.#byContent.delete(text);
      throw error;
    }
  }
}
