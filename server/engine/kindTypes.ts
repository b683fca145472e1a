/** What each kind observes of the market beside prices and terms; its own file declares it by merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the kinds
export interface Observed {}

/** What each kind notes at entry, declared in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the kinds
export interface EntryNote {}
