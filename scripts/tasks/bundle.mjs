import { readFileSync, writeFileSync } from 'node:fs';
import { root, StepFailed } from './run.mjs';

/** Packages that stay outside: they have files of their own, or are drivers that knex loads if they are there. */
const external = [
  ...['sqlite3', 'pg', 'swagger-ui-dist', 'pdfkit', 'fontkit'],
  ...['better-sqlite3', 'mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream', 'tedious'],
];

/**
 * Puts compiled modules and the packages that they import into one file, because a thousand load slowly. It is no ES
 * module, because Node 20 can cache the compiled code of scripts only. What the sources import when they need it is
 * run when they need it.
 */
export const bundleProgram = async (compiled, outdir) => {
  // Loaded only now: it may have just been installed.
  const esbuild = await import('esbuild');
  const main = `${compiled}/src/main.js`;
  await bundleInto(esbuild, `${outdir}/main.cjs`, main, []);
  await bundleInto(esbuild, `${outdir}/usage.cjs`, main, [withoutCommands]);
};

/** For what no command is needed for, `--help` and `--version`: reading the others takes longer than that. */
const withoutCommands = {
  name: 'without commands',
  setup: (build) =>
    build.onResolve({ filter: /^\.\/cli\/\w+\/\w+\.js$/ }, ({ path }) => ({ path, external: true })),
};

const bundleInto = async (esbuild, outfile, entry, plugins) => {
  const options = {
    entryPoints: [entry],
    outfile,
    plugins,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: {
      js: "(function (exports, require, module, __filename, __dirname) { const bundleUrl = require('node:url').pathToFileURL(__filename).href;",
    },
    footer: { js: '})' },
    // It stays in memory. Names stay as they are: errors show them.
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: 'external',
    external,
    logLevel: 'warning',
  };
  await esbuild.build(options).catch(() => {
    throw new StepFailed('bundling failed, see above');
  });
  writeFileSync(outfile, escapeToAscii(readFileSync(outfile, 'utf8')), 'latin1');
};

/** A single other character would double the size of the text in memory. esbuild leaves them in patterns and comments. */
const escapeToAscii = (text) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
