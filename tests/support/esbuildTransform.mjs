import { transform, transformSync } from 'esbuild';

const options = (file) => ({
  loader: 'ts',
  format: 'esm',
  target: 'node20.19',
  sourcemap: 'inline',
  sourcefile: file,
});

/** Turns the server's TypeScript into the ES modules it runs as, so `import.meta.url` works in tests. */
export default {
  process: (source, file) => ({ code: transformSync(source, options(file)).code }),
  processAsync: async (source, file) => ({ code: (await transform(source, options(file))).code }),
};
