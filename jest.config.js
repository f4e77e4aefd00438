import { existsSync } from 'node:fs';

const folders = ['src', 'handlers', 'generated', 'simulators', 'scripts', 'tools', 'test'];

export default {
  runner: '<rootDir>/test/setup/native/runner.mjs',
  // Naming the folders spares jest a walk through node_modules and dist.
  roots: folders.filter((folder) => existsSync(folder)).map((folder) => `<rootDir>/${folder}`),
  // Without <rootDir>: in a pattern, brackets in the name of a folder above would have a meaning.
  testMatch: ['**/*.test.ts'],
  // Test files and what they import are compiled by the runner. This is for globalSetup, and for files that no test
  // imports, which count as not covered.
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, sourceMaps: 'inline', swcrc: false },
    ],
  },
  globalSetup: '<rootDir>/test/setup/postgres.ts',
  globalTeardown: '<rootDir>/test/setup/stopPostgres.ts',
  // As many as the cores of a small machine: what tests start, such as browsers and databases, needs the rest of them.
  maxWorkers: 2,
  // Only to end a test that hangs: a machine that is busy with other things may take ten times as long.
  testTimeout: 900_000,
  // The v8 provider counts comments and types as covered lines; this one counts what can run.
  coverageProvider: 'babel',
  collectCoverageFrom: ['src/**/*.ts', 'handlers/**/*.ts'],
  coverageDirectory: 'coverage',
  coverageReporters: [['text', { skipFull: true }], 'text-summary', 'lcovonly'],
  coverageThreshold: { global: { lines: 90 } },
};
