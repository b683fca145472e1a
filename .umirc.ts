import { defineConfig } from '@umijs/max';
import { antdStyles } from './antdStyles';
import { routes } from './src/routes';

/** Packages whose modules only declare, though their package.json does not say so: what is unused may go. */
const DECLARING =
  /node_modules[\\/](typebox|@rc-component|@ahooksjs|lodash\.\w+|umi[\\/]client)[\\/]|[\\/]contract[\\/]/;

export default defineConfig({
  title: 'Hedge Console',
  npmClient: 'npm',
  outputPath: 'dist/console',
  routes,
  access: { strictMode: true },
  model: {},
  initialState: {},
  request: {},
  layout: { locale: false },
  hash: true,
  mfsu: false,
  // The browsers below need no polyfill, and nothing here writes to the head.
  polyfill: false,
  helmet: false,
  esbuildMinifyIIFE: true,
  targets: { chrome: 109, edge: 109, firefox: 115, safari: 16 },
  extraPostCSSPlugins: [antdStyles],
  favicons: ['/favicon.svg'],
  metas: [{ name: 'viewport', content: 'width=device-width, initial-scale=1' }],
  headScripts: [{ src: '/early.js' }],
  // The startup waits for the user, who is asked for while the scripts are still on their way.
  links: [{ rel: 'preload', href: '/api/user', as: 'fetch', crossorigin: 'use-credentials' }],
  chainWebpack(config) {
    config.output.set('chunkLoadTimeout', 120_000);
    // Many small shared files compress worse than a few that repeat a little.
    config.optimization.splitChunks({ chunks: 'async', minSize: 40_000 });
    config.module.rule('declaring').test(DECLARING).sideEffects(false);
  },
});
