export {};

process.env.TEST_DATABASE = 'postgres';

// Settings, pairs and trades by calls; keys that come twice; logins at work while their user is thrown out.
await import('../hedgeConfig.test');
await import('../hedgeTrade.test');
await import('../idempotency.test');
await import('../auth/thrownOut.test');
