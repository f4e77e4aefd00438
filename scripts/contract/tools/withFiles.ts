import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives texts to programs that only read files; the files are gone afterwards. */
export const withFiles = async <T>(
  files: Readonly<Record<string, string>>,
  use: (paths: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'voucherd-contract-'));
  try {
    const paths: Record<string, string> = {};
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      await writeFile(path, text);
      paths[name] = path;
    }
    return await use(paths);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
