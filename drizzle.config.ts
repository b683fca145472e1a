import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/db/schema.ts', './server/db/hedges/hedgeView.ts'],
  out: './server/db/migrations',
});
