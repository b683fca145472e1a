export {};

process.env.TEST_DATABASE = 'postgres';

// Settings, pairs and trades by calls; keys that come twice.
await import('../hedgeConfig.test');
await import('../hedgeTrade.test');
await import('../idempotency.test');
