/** What binance answers instead: `{ code, msg }` under an HTTP status. */
export class Refusal extends Error {
  readonly code: number;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: number, message: string, status = 400, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

export const invalidSymbol = () => new Refusal(-1121, 'Invalid symbol.');
