/** What each kind looks at of the market beside prices and terms: its own file says it, by merging with this. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the kinds
export interface Observed {}

/** What each kind notes when it opens, said by its own file in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the kinds
export interface EntryNote {}
