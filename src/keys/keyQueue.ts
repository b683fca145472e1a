/** What the keys open. */
export type Shown = 'palette' | 'help' | null;

/** Keys that wait until the code that knows them is there. */
export interface KeyQueue {
  waiting: KeyboardEvent[];
  take: ((event: KeyboardEvent) => void) | undefined;
}
