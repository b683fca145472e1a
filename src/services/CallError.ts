import type { FieldErrors } from '#contract/envelope';

/** Why a call did not answer with data. `code` is the envelope's, or else the HTTP status or axios' error code. */
export class CallError extends Error {
  override name = 'CallError';

  constructor(
    readonly code: number | string,
    message: string,
    /** What a 400 says of each field. */
    readonly fields: FieldErrors['fields'] = [],
    /** The request itself failed: no network, a timeout, an HTTP error, an answer that is no envelope. */
    readonly failed = false,
    /** Seconds after which the server would listen again (429), when it says so. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  /** As a person is told it: a failed request by its code as well. */
  get text(): string {
    return this.failed ? `${this.code}: ${this.message}` : this.message;
  }
}

/** Why something failed, for a person; `otherwise` where the server has said nothing. */
export const failureText = (error: unknown, otherwise: string): string =>
  error instanceof CallError ? error.text : otherwise;
