/** What the thread of the embedded database is asked, in the order in which it does it. `id` comes back with the answer. */
export type ClusterCall = { id: number } & (
  | {
      /** One statement with its values, or with `simple` several without any. */
      ask: 'statement';
      text: string;
      values: unknown[];
      simple: boolean;
      /** It is the first one of a transaction. */
      begins: boolean;
    }
  /** Answered when everything asked before is done. */
  | { ask: 'rest' }
  /** Answered when everything is on the disk and the folder is nobody's. */
  | { ask: 'close' }
);

/** PostgreSQL's answer to a statement. */
export interface ClusterAnswer {
  /** Messages of its wire protocol, errors included. */
  bytes: ArrayBuffer;
  /** How much of the log must be on the disk before anybody is told: a count of writes, 0 when all of it is. */
  log: number;
}

/** What the thread says. */
export type ClusterWord =
  | { word: 'open' }
  | { word: 'unfit'; reason: string }
  | { word: 'answer'; id: number; answer: ClusterAnswer | null }
  /** A statement that PostgreSQL never got, or an end that failed. */
  | { word: 'failed'; id: number; reason: string }
  /** So many writes to the log are on the disk. */
  | { word: 'synced'; log: number }
  /** The disk refused a sync: nothing can be acknowledged any more. */
  | { word: 'broken'; reason: string };
