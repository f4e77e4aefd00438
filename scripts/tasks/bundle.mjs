import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLicences } from './packageFiles.mjs';
import { StepFailed } from './run.mjs';

/** Packages that stay outside: they have compiled files, or are drivers that knex loads if they are there. */
const external = [
  ...['sqlite3', 'pg', 'sharp', '@node-rs/bcrypt'],
  ...['better-sqlite3', 'mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream', 'tedious'],
];

/** Those of the next ones that export nothing but a default. */
const defaultOnly = ['nodemailer/lib/mail-composer', 'nodemailer/lib/smtp-connection', 'pdfkit'];

/**
 * Packages that a start does not need. Each has a file of its own, which is read when it is first imported: the text of
 * a program stays in memory.
 */
const onDemand = [
  ...['got', 'tough-cookie', '@streamparser/json', 'pino-pretty', 'nodemailer/lib/shared', ...defaultOnly],
  ...['openid-client', 'json-schema-faker', 'iconv-lite/encodings', 'fontkit', '@noble/ciphers/salsa.js'],
  'mysql2/promise',
];

const onDemandFile = (name) => `${name.replaceAll('/', '-')}.cjs`;

/**
 * Puts compiled modules and the packages that they import into one file, because a thousand load slowly. What the sources
 * import when they need it is run when they need it.
 */
export const bundleProgram = async (compiled, outdir) => {
  // Loaded only now: it may have just been installed.
  const esbuild = await import('esbuild');
  const inputs = await bundle(esbuild, {
    entryPoints: [`${compiled}/src/main.js`],
    outfile: `${outdir}/main.cjs`,
    plugins: [packagesOnDemand, tracingOnDemand],
    banner: { js: bundleUrl },
  });
  for (const name of onDemand)
    inputs.push(...(await bundlePackage(esbuild, `${outdir}/${onDemandFile(name)}`, name)));
  inputs.push(
    ...(await bundlePackage(
      esbuild,
      `${outdir}/openTelemetry.cjs`,
      `${compiled}/src/tracing/openTelemetry.js`,
    )),
  );
  inputs.push(...(await bundleContractRun(esbuild, `${outdir}/contractRun.cjs`, compiled)));
  inputs.push(...(await bundleFramework(esbuild, `${outdir}/framework.cjs`, compiled)));
  writeLicences(`${outdir}/licences.txt`, inputs);
};

/** A CommonJS module. Modules with scenarios are ES modules, so it imports them. */
const bundleContractRun = (esbuild, outfile, compiled) =>
  bundle(esbuild, {
    entryPoints: [`${compiled}/scripts/lib/contractRunner.js`],
    outfile,
    supported: { 'dynamic-import': true },
    minify: true,
    // An installed package has it.
    external: [...external, 'yaml'],
    banner: { js: bundleUrl },
  });

/** A CommonJS module, for services that import `voucherd/contract`. */
const bundleFramework = (esbuild, outfile, compiled) =>
  bundle(esbuild, {
    entryPoints: [`${compiled}/src/framework/index.js`],
    outfile,
    minify: true,
    plugins: [packagesOnDemand],
    // An installed package has them.
    external: [...external, 'yaml', 'jsonc-parser'],
    banner: { js: bundleUrl },
  });

const packagesOnDemand = {
  name: 'packages on demand',
  setup: (build) =>
    build.onResolve({ filter: /^[@\w]|^\.\.\/encodings$/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      // iconv-lite itself is needed; its tables are not.
      const name = path === '../encodings' ? 'iconv-lite/encodings' : path;
      return onDemand.includes(name) ? { path: `./${onDemandFile(name)}`, external: true } : undefined;
    }),
};

/** Traces need five packages, which share others: they have one file, with the module of ours that uses them. */
const tracingOnDemand = {
  name: 'tracing on demand',
  setup: (build) =>
    build.onResolve({ filter: /^\.\/openTelemetry\.js$/ }, () => ({
      path: './openTelemetry.cjs',
      external: true,
    })),
};

const bundleUrl = "const bundleUrl = require('node:url').pathToFileURL(__filename).href;";

/** What imports the default of a CommonJS module gets all of the module. */
const exportDefault = 'module.exports = module.exports.default;';

/** A CommonJS module. */
const bundlePackage = (esbuild, outfile, name) =>
  bundle(esbuild, {
    entryPoints: [name],
    outfile,
    // pdfkit uses fontkit, and mysql2 the tables of iconv-lite, which are large.
    plugins: ['pdfkit', 'mysql2/promise'].includes(name) ? [packagesOnDemand] : [],
    // knex does not load mysql2; the import from the PHP tool does.
    external: external.filter((other) => !name.startsWith(`${other}/`)),
    banner: { js: bundleUrl },
    footer: { js: defaultOnly.includes(name) ? exportDefault : '' },
  });

/**
 * Ajv's class for OpenAPI 3.1, which few contracts need, is part of the bundle and run when it is first required. esbuild
 * bundles what is required only where that is done by the `require` that it knows.
 */
const requiredWhenNeeded = {
  name: 'required when needed',
  setup: (build) =>
    build.onLoad({ filter: /\/src\/contract\/vocabulary\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/^const requireHere = createRequire\(.*\);$/m, '')
        .replaceAll('requireHere(', 'require('),
    })),
};

/** Writes a bundle, and returns the files that are in it. */
const bundle = async (esbuild, { outfile, plugins = [], ...options }) => {
  const common = {
    // Its names are in the bundle: builds of the same sources are equal, whatever the folder is called.
    absWorkingDir: join(outfile, '../..'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'bundleUrl' },
    // It stays in memory. Names stay as they are: errors show them.
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: 'external',
    external,
    metafile: true,
    logLevel: 'warning',
  };
  const all = { ...common, outfile, plugins: [...plugins, requiredWhenNeeded], ...options };
  const { metafile } = await esbuild.build(all).catch(() => {
    throw new StepFailed('bundling failed, see above');
  });
  writeFileSync(outfile, escapeToAscii(readFileSync(outfile, 'utf8')), 'latin1');
  return Object.keys(metafile.inputs).map((input) => input.replace(/^\.\.\//, ''));
};

/** A single other character would double the size of the text in memory. esbuild leaves them in patterns and comments. */
const escapeToAscii = (text) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
