import { webLibraries } from './tests/support/libraries.mjs';
import { pageTestsTogether } from './tests/support/together.mjs';

/** Whether this run may be of these tests: Umi takes seconds to say how it builds, libraries to be put together. */
const isAsked = (name) => !process.argv.includes('--selectProjects') || process.argv.includes(name);

/** In how many files the page tests are run; by default each in its own. */
const TOGETHER = process.env.TEST_TOGETHER;

async function webProject() {
  const { configUmiAlias, createConfig } = await import('@umijs/max/test.js');
  const web = await configUmiAlias({
    ...createConfig({
      target: 'browser',
      jsTransformer: 'esbuild',
      // What a page loads on demand becomes a plain require: jest's modules know no `import()`.
      jsTransformerOpts: { jsx: 'automatic', supported: { 'dynamic-import': false } },
    }),
    displayName: 'web',
    testMatch: TOGETHER
      ? [`${pageTestsTogether(Number(TOGETHER))}/*.test.ts`]
      : ['<rootDir>/tests/web/**/*.test.{ts,tsx}'],
    testEnvironment: 'jest-fixed-jsdom',
  });
  return {
    ...web,
    // Umi writes this option for single-project runs, where jest allows it.
    testTimeout: undefined,
    setupFiles: [...web.setupFiles, '<rootDir>/tests/support/browserShims.ts'],
    setupFilesAfterEnv: ['<rootDir>/tests/support/webSetup.ts'],
    transformIgnorePatterns: [...web.transformIgnorePatterns, '/node_modules/\\.cache/'],
    moduleNameMapper: {
      ...(await webLibraries()),
      ...web.moduleNameMapper,
      '^lightweight-charts$': '<rootDir>/tests/support/lightweightCharts.cjs',
      '/get-node-text$': '<rootDir>/tests/support/nodeText.cjs',
    },
  };
}

const serverProject = async () => ({
  displayName: 'server',
  testMatch: ['<rootDir>/tests/{server,contract,house}/**/*.test.ts'],
  // In plain Node, the files of a worker one after the other: what they share is loaded once and stays compiled.
  runner: 'jest-light-runner/child-process',
  setupFiles: ['<rootDir>/tests/support/registerTsx.mjs'],
  globalSetup: '<rootDir>/tests/support/postgresSetup.mjs',
  globalTeardown: '<rootDir>/tests/support/postgresTeardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/tests/support/serverSetup.ts'],
});

const browserProject = async () => ({
  displayName: 'e2e',
  testMatch: ['<rootDir>/tests/e2e/**/*.test.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/tests/support/esbuildTransform.mjs' },
  setupFilesAfterEnv: ['<rootDir>/tests/support/browserSetup.ts'],
});

const PROJECTS = { web: webProject, server: serverProject, e2e: browserProject };
const asked = Object.keys(PROJECTS).filter(isAsked);

export default {
  // Files leave memory behind, and collecting it takes longer than starting a worker anew.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/tests/support/sequencer.mjs',
  projects: await Promise.all(asked.map((name) => PROJECTS[name]())),
};
