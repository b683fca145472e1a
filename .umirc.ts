import { defineConfig } from '@umijs/max';
import { antdStyles } from './antdStyles';
import { leanContract } from './bundle/leanContract';
import { ProParts } from './bundle/proParts';
import { routes } from './src/routes';

/** Packages whose modules only declare, though their package.json does not say so: what is unused may go. */
const DECLARING =
  /node_modules[\\/](typebox|@rc-component|@ahooksjs|lodash\.\w+|umi[\\/]client)[\\/]|[\\/]contract[\\/]/;

/** What each page of somebody signed in reads and hears the server by; the page of the login does not. */
const LIVE =
  /[\\/](contract[\\/]stream|src[\\/]services[\\/](stream|streamConnection|tickerStore|read|offline|outages|use(Call|Changes|Live|Prices|Stream)))\.ts$/;
/** What schemas of rows are made of, and the words of orders, deals and venues that nearly all pages know. */
const FIELDS = /[\\/]contract[\\/](field|decimal)\.ts$/;
const STATES = /[\\/]contract[\\/](lifecycle|candle)\.ts$/;
const DATES = /[\\/]node_modules[\\/]dayjs[\\/]/;

/** What Umi's minifier is told on top of them is ES2015, for which every spread of an object becomes a call. */
const TARGETS = { chrome: 109, edge: 109, firefox: 115, safari: 16 };

export default defineConfig({
  title: 'Hedge Console',
  npmClient: 'npm',
  outputPath: 'dist/console',
  routes,
  access: { strictMode: true },
  model: {},
  initialState: { loading: '@/components/StillEmpty' },
  request: {},
  layout: { locale: false },
  hash: true,
  mfsu: false,
  // The browsers below need no polyfill, and nothing here writes to the head.
  polyfill: false,
  helmet: false,
  esbuildMinifyIIFE: true,
  targets: TARGETS,
  jsMinifierOptions: {
    target: Object.entries(TARGETS).map(([browser, version]) => `${browser}${version}`),
    // Chinese as it is: escaped it takes twice the bytes, and a fiftieth more once compressed.
    charset: 'utf8',
  },
  extraPostCSSPlugins: [antdStyles],
  // Umi's check takes a plugin in a list alone, its types take none.
  extraBabelPlugins: [[leanContract]] as unknown as string[],
  favicons: ['/favicon.svg'],
  metas: [{ name: 'viewport', content: 'width=device-width, initial-scale=1' }],
  headScripts: [{ src: '/early.js' }],
  // The startup waits for the user, who is asked for while the scripts are still on their way.
  links: [{ rel: 'preload', href: '/api/user', as: 'fetch', crossorigin: 'use-credentials' }],
  chainWebpack(config, { webpack }) {
    config.output.set('chunkLoadTimeout', 120_000);
    // Many small shared files compress worse than a few that repeat a little.
    // What nearly all of them need stands once, or its copies come with each of them.
    const cacheGroups = {
      live: { test: LIVE, name: 'live', enforce: true },
      dates: { test: DATES, name: 'dates', enforce: true },
      fields: { test: FIELDS, name: 'fields', enforce: true },
      states: { test: STATES, name: 'states', enforce: true },
    };
    config.optimization.splitChunks({ chunks: 'async', minSize: 40_000, cacheGroups });
    config.plugin('pro-parts').use(ProParts);
    // Sheets of routes come after that of all pages, which stands in the body, see plugin.ts.
    if (config.plugins.has('mini-css-extract-plugin'))
      config
        .plugin('mini-css-extract-plugin')
        .tap(([options]) => [{ ...options, insert: (sheet: HTMLLinkElement) => document.body.append(sheet) }]);
    // Compiled while it is loaded, beside the page, where the page would compile piece by piece as it runs. After the minifier, which drops comments.
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
    const eager = { banner: '//# allFunctionsCalledOnLoad', raw: true, test: /\.js$/, stage };
    config.plugin('eager').use(webpack.BannerPlugin, [eager]);
    config.module.rule('declaring').test(DECLARING).sideEffects(false);
  },
});
