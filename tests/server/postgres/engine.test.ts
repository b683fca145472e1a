export {};

process.env.TEST_DATABASE = 'postgres';

// The same scenarios as on the embedded database, with connections that work side by side.
await import('../engine/engine.test');
await import('../engine/faults.test');
