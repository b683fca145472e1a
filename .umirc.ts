import { defineConfig } from '@umijs/max';
import { routes } from './src/routes';

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
  esbuildMinifyIIFE: true,
  targets: { chrome: 109, edge: 109, firefox: 115, safari: 16 },
  polyfill: { imports: [] },
  favicons: ['/favicon.svg'],
  metas: [{ name: 'viewport', content: 'width=device-width, initial-scale=1' }],
  chainWebpack(config) {
    config.output.set('chunkLoadTimeout', 120_000);
  },
});
