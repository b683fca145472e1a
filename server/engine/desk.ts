/** What calls may ask of the engine. Everything else they write as intents into the database. */
export interface Desk {
  /**
   * Takes up the intents of a user's book and acts on them at once, as far as that goes without waiting for the market.
   * Resolves when it has; at once where another server holds the book's lease, which then sees the intents by itself.
   */
  wake(userId: string): Promise<void>;
}
