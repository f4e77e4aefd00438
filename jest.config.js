export default {
  runner: '<rootDir>/test/setup/native/runner.mjs',
  // Naming the folder spares jest a walk through node_modules and dist.
  roots: ['<rootDir>/test'],
  // Without <rootDir>: in a pattern, brackets in the name of a folder above would have a meaning.
  testMatch: ['**/*.test.ts'],
  // Test files and what they import are compiled by the runner.
  transform: {},
  globalSetup: '<rootDir>/test/setup/postgres.mjs',
  globalTeardown: '<rootDir>/test/setup/stopPostgres.mjs',
  // As many as the cores of a small machine: what tests start, such as browsers and databases, needs the rest of them.
  maxWorkers: 2,
  // Only to end a test that hangs: a machine that is busy with other things may take ten times as long.
  testTimeout: 900_000,
};
