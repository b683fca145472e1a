import type { Answer } from '../dialect';

/** What becomes of a request that a fault meets. */
export type RestFault =
  /** It is done, and no answer comes. */
  | { kind: 'noAnswer' }
  /** It is done, and the connection is cut. */
  | { kind: 'cut' }
  /** It is done, and the answer is no JSON. */
  | { kind: 'garbled' }
  /** It is held up on its way, and arrives when it is let go: whoever sent it may have given up. */
  | { kind: 'late'; isLetGo: Promise<void>; onDone: () => void }
  /** It is not done: this is answered. */
  | { kind: 'answer'; answer: Answer };

interface Rule {
  /** Of method and path: `POST /fapi/v1/order`. */
  on: RegExp;
  fault: RestFault;
  times: number;
}

/** What goes wrong at an exchange, by switch. */
export class Faults {
  #rules: Rule[] = [];
  /** How far the exchange's clock is ahead of ours, ms. */
  clockAheadMs = 0;
  /** Nothing is answered but that it is closed, and nothing streamed. */
  isInMaintenance = false;
  areStreamsDown = false;
  isRestDown = false;
  /** The largest part of an order that is filled at once. */
  fillShare = 1;
  /** How long an exchange that takes orders first and does them later says nothing yet of what happened, ms. */
  lagMs = 0;
  /** When it says that it will be closed, UTC ms, or was. */
  announced: { begin: number; end: number; title: string; state: 'scheduled' | 'completed' }[] = [];
  /** Symbols that are not traded any more. */
  readonly delisted = new Set<string>();
  /** Accounts whose user streams end as if nobody had kept them alive. */
  readonly endedStreams = new Set<string>();
  /** What becomes of messages that are streamed: each comes as often as it says, in that order. */
  onStream: (messages: unknown[]) => unknown[] = (messages) => messages;

  /** Has the next requests of a kind go wrong. */
  next(on: RegExp, fault: RestFault, times = 1): void {
    this.#rules.push({ on, fault, times });
  }

  /** Has the next request of a kind held up on its way. */
  holdUp(on: RegExp): { arrive(): Promise<void> } {
    let letGo: () => void = () => undefined;
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const done = new Promise<void>((onDone) => this.next(on, { kind: 'late', isLetGo, onDone }));
    return {
      /** Lets it go; ends when the exchange has judged it. */
      arrive: () => {
        letGo();
        return done;
      },
    };
  }

  take(request: string): RestFault | undefined {
    const rule = this.#rules.find(({ on, times }) => times > 0 && on.test(request));
    if (!rule) return undefined;
    rule.times -= 1;
    return rule.fault;
  }

  /** Everything goes well again. */
  clear(): void {
    this.#rules = [];
    this.clockAheadMs = 0;
    this.fillShare = 1;
    this.lagMs = 0;
    this.isInMaintenance = false;
    this.areStreamsDown = false;
    this.isRestDown = false;
    this.announced = [];
    this.delisted.clear();
    this.endedStreams.clear();
    this.onStream = (messages) => messages;
  }
}
