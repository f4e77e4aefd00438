import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { importDirection } from './scripts/lint/importDirection.mjs';

const nodeGlobals = Object.fromEntries(
  ['process', 'console', 'Buffer', 'URL', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'].map(
    (name) => [name, 'readonly'],
  ),
);

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'generated/', 'contract-report/', 'node_modules/', 'data/'] },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
      'object-shorthand': ['error', 'properties'],
      'prefer-const': 'error',
    },
  },
  { files: ['**/*.js', '**/*.mjs'], languageOptions: { globals: nodeGlobals } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { voucherd: { rules: { 'import-direction': importDirection } } },
    rules: {
      'voucherd/import-direction': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Numbers and booleans read well in a message; objects do not.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // `() => doIt()` is the shortest way to hand a callback on.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // An interface's method may have to be async where one implementation has nothing to await.
      '@typescript-eslint/require-await': 'off',
      // Our interfaces come from factories whose functions know no `this`; taking them apart is safe.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // A query of knex is a promise as well; inside `where((part) => part.…)` nobody awaits it, rightly.
    files: ['src/storage/**/*.ts'],
    rules: {
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
    },
  },
  {
    // A text from outside must not decide how long a pattern takes: time grows with it, not with its square.
    files: ['**/*.ts', '**/*.mjs'],
    ignores: ['test/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
    },
  },
  {
    // Production code writes through the log or, in the command line, to the streams it is given.
    files: ['src/**/*.ts', 'handlers/**/*.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    // Bodies of answers are read field by field in tests; the assertions are the check.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);
