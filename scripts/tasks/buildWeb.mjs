// Builds the web UI with esbuild, and not with Vite. Vite 7.3 would work on x64 and arm64 (rollup and esbuild have native
// builds for both), but it brings less than it costs: its development server would be a second one beside the service,
// which serves the pages with its own content security policy, cookies and base path, so development and production would
// differ in all of these; the plugin below and the checks of size would be needed all the same; and esbuild alone is
// fast enough to build at every change. Vite 8 has no native build of rolldown for arm64.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { compileTexts } from './compileTexts.mjs';
import { writeLicences } from './packageFiles.mjs';
import { buildScripts, freshFolder, hashOf, readIfThere, root, seconds, StepFailed } from './run.mjs';
import { webTextProblems } from './webTexts.mjs';

/** Where the service finds the pages. */
const webFolder = 'dist/web';
const stampFile = `${webFolder}/.built`;
const entry = 'web/src/main.tsx';

const sourceFiles = () => [
  ...readdirSync(`${root}web`, { recursive: true })
    .filter((file) => /\.(tsx?|css|json|html)$/.test(file))
    .map((file) => `web/${file}`)
    .sort(),
  ...buildScripts(),
  ...['generated/web.ts', 'src/pages/pagePaths.ts', 'src/i18n/guestLanguages.ts', 'package-lock.json'],
];

/** Libraries of many small files behind one index. */
const indexed = ['core', 'hooks'];

/** Where a library of Mantine keeps each of its exports, as its index says. */
const exportFiles = (library) => {
  const folder = `${root}node_modules/@mantine/${library}/esm/`;
  const imports = readFileSync(`${folder}index.mjs`, 'utf8').matchAll(
    /^import \{ ([^}]+) \} from "([^"]+)";$/gm,
  );
  return new Map(
    [...imports].flatMap(([, names, file]) =>
      names.split(', ').map((name) => [name, file.replace(/^\.\//, folder)]),
    ),
  );
};

/**
 * Imports each component and hook from its own file: what goes through an index counts as needed by the first page, so
 * that everything that any page uses would be loaded with it.
 */
const directImports = () => {
  const files = new Map(indexed.map((library) => [library, exportFiles(library)]));
  const importOf = (library, name) => {
    const file = files.get(library).get(name.split(' as ')[0]);
    if (file === undefined) throw new Error(`@mantine/${library} has no ${name}`);
    return `import { ${name} } from ${JSON.stringify(file)};`;
  };
  const rewrite = (source) =>
    source.replace(
      /^import \{([^}]+)\} from ['"]@mantine\/(core|hooks)['"];$/gm,
      (_statement, names, library) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => importOf(library, name))
          .join(' '),
    );
  return {
    name: 'direct imports',
    setup: ({ onLoad }) =>
      onLoad({ filter: /web[\\/]src[\\/].*\.tsx?$|@mantine[\\/]\w+[\\/]esm[\\/].*\.mjs$/ }, ({ path }) => ({
        contents: rewrite(readFileSync(path, 'utf8')),
        loader: path.endsWith('.ts') ? 'ts' : path.endsWith('.tsx') ? 'tsx' : 'js',
      })),
  };
};

/** Bundles scripts and styles into files whose names change with their content. A page loads its own part. */
const bundle = async (outdir, textsVersion) => {
  // Loaded only now: it may have just been installed.
  const esbuild = await import('esbuild');
  const options = {
    entryPoints: [entry],
    outdir,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"', textsVersion: JSON.stringify(textsVersion) },
    legalComments: 'none',
    plugins: [directImports()],
    alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
    metafile: true,
    logLevel: 'warning',
  };
  const { metafile } = await esbuild.build(options).catch(() => {
    throw new StepFailed('building the pages failed, see above');
  });
  writeLicences(`${outdir}/licences.txt`, Object.keys(metafile.inputs));
  return new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [path.slice(path.indexOf('assets/')), output]),
  );
};

/** The script and the style of the reference at /docs, each as one file with a fixed name. */
const bundleReference = async (outdir) => {
  const esbuild = await import('esbuild');
  await esbuild
    .build({
      entryPoints: [
        { in: 'web/reference/main.ts', out: 'reference' },
        { in: 'web/reference/reference.css', out: 'reference' },
      ],
      outdir,
      absWorkingDir: root,
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      logLevel: 'warning',
    })
    .catch(() => {
      throw new StepFailed('building the reference failed, see above');
    });
};

/** The files that a script needs before it can run, itself included. */
const neededBy = (outputs, file, known = new Set()) => {
  known.add(file);
  for (const { path, kind } of outputs.get(file).imports) {
    const name = path.slice(path.indexOf('assets/'));
    if (kind === 'import-statement' && !known.has(name)) neededBy(outputs, name, known);
  }
  return known;
};

/** All styles as one file, those of Mantine first, so that our own count. It is smaller than its parts. */
const joinStyles = (folder, outputs) => {
  const names = [...outputs.keys()].filter((name) => name.endsWith('.css'));
  const [first] = names.filter((name) => /\/main-/.test(name));
  const ordered = [first, ...names.filter((name) => name !== first).sort()];
  const joined = ordered.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('');
  for (const name of names) rmSync(`${folder}/${name}`);
  const hash = createHash('sha256').update(joined).digest('hex').slice(0, 8).toUpperCase();
  const style = `assets/styles-${hash}.css`;
  writeFileSync(`${folder}/${style}`, joined);
  return style;
};

/** Writes the names of the built files into the document, which names the sources. */
const linkFiles = (document, outputs, style) => {
  const [main] = [...outputs].find(([, { entryPoint }]) => entryPoint === entry);
  const links = [
    `<link rel="stylesheet" href="%BASE_PATH%/${style}" />`,
    ...[...neededBy(outputs, main)]
      .slice(1)
      .map((name) => `<link rel="modulepreload" href="%BASE_PATH%/${name}" />`),
    `<script type="module" src="%BASE_PATH%/${main}"></script>`,
  ];
  return document.replace('<script type="module" src="/src/main.tsx"></script>', links.join('\n    '));
};

/** Made once here, so that the service compresses nothing. */
const compress = (folder) => {
  for (const name of readdirSync(folder)) {
    const file = readFileSync(`${folder}/${name}`);
    writeFileSync(`${folder}/${name}.gz`, gzipSync(file, { level: 9 }));
  }
};

/** Builds the pages to dist/web when their sources changed since the last build. Resolves with whether they did. */
export const buildWeb = async () => {
  const hash = hashOf(sourceFiles());
  if (readIfThere(stampFile) === hash) return false;
  const started = Date.now();
  console.error('Building the pages.');
  const problems = webTextProblems();
  if (problems.length > 0)
    throw new StepFailed(`${problems.join('\n')}\nbuilding the pages failed: see web/src/texts`);
  // Into a folder of its own: a failed build leaves the last good one.
  const fresh = freshFolder('dist.web');
  const texts = await compileTexts();
  const outputs = await bundle(fresh, texts.version);
  for (const [name, content] of texts.files) writeFileSync(`${fresh}/assets/${name}`, content);
  const document = readFileSync(`${root}web/index.html`, 'utf8');
  writeFileSync(`${fresh}/index.html`, linkFiles(document, outputs, joinStyles(fresh, outputs)));
  compress(`${fresh}/assets`);
  await bundleReference(`${fresh}/reference`);
  writeFileSync(`${fresh}/.built`, hash);
  rmSync(`${root}${webFolder}`, { recursive: true, force: true });
  mkdirSync(`${root}dist`, { recursive: true });
  renameSync(fresh, `${root}${webFolder}`);
  console.error(`  done in ${seconds(started)}`);
  return true;
};
