import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly, tool } from './run.mjs';

const entry = 'src/framework/index.d.ts';

/** The files that a declaration imports, itself first. */
const reachedFrom = (folder) => {
  const found = new Set([entry]);
  for (const file of found)
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(
      /(?:from |import\()['"](\.[^'"]+)\.js['"]/g,
    ))
      found.add(join(file, '..', `${name}.d.ts`));
  return [...found];
};

/** Writes the types of `voucherd/contract`. The compiler declares all that it imports; only what is exported is kept. */
export const writeDeclarations = async (outdir) => {
  const all = `${outdir}.all`;
  await runQuietly(
    'declarations',
    ...tool('typescript-native/bin/tsc', '-p', 'tsconfig.declarations.json', '--outDir', all),
  );
  for (const file of reachedFrom(all)) cpSync(join(all, file), join(outdir, file), { recursive: true });
  rmSync(all, { recursive: true });
};
