/** Whether the server answers: the newest word from it, and whether the last request came back without one. */
let answeredAt = 0;
let isFailing = false;
const listeners = new Set<() => void>();

export const contact = {
  /** When the server last answered a request, UTC ms; 0: not yet. */
  answeredAt: (): number => answeredAt,
  isFailing: (): boolean => isFailing,
  /** It answered, whatever it said. */
  answered: (): void => {
    answeredAt = Date.now();
    isFailing = false;
    for (const listener of [...listeners]) listener();
  },
  /** A request ended without an answer of the server. */
  failed: (): void => {
    isFailing = true;
  },
  /** Hears of each answer; answers how to stop. */
  onAnswer: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

window.addEventListener('offline', contact.failed);
