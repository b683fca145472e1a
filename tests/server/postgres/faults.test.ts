export {};

process.env.TEST_DATABASE = 'postgres';

// The same faults as on the embedded database, with connections that work side by side.
await import('../engine/faults.test');
