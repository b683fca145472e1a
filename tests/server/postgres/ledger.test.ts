export {};

process.env.TEST_DATABASE = 'postgres';

await import('../engine/ledger.test');
