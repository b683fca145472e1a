export {};

process.env.TEST_DATABASE = 'postgres';

// Trades by calls; keys that come twice.
await import('../hedgeTrade.test');
await import('../idempotency.test');
