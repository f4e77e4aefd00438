import { constants, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../support/built.js';
import { makeFolder } from '../support/folder.js';

/** A copy of this checkout that a test may change, with the same packages. */
export interface Project {
  readonly path: string;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  /** Replaces a text, which must occur. */
  change(file: string, from: string, to: string): Promise<void>;
  remove(): Promise<void>;
}

/** What `npm run dev` needs. Scripts that are sources themselves are left out: they would only take time. */
const parts = [
  'src',
  'handlers',
  'generated',
  'scripts/tasks',
  'scripts/dev',
  'scripts/lint',
  'scripts/dev.mjs',
  'scripts/lintContract.mjs',
  'scripts/voucherd.mjs',
  'openapi.yaml',
  'web.yaml',
  // As the last build has read them: reading them at each start would only take time.
  'dist/openapi.json',
  'dist/web.json',
  'web',
  'redocly.yaml',
  'package.json',
  'package-lock.json',
  ...['tools/package.json', 'tools/contract/package.json', 'tools/bench/package.json'],
  'tsconfig.json',
  'tsconfig.declarations.json',
];

export interface ProjectOptions {
  /** Packages that are files of the project, as after an installation, instead of links: takes a while. */
  readonly ownPackages?: boolean;
}

export const makeProject = async (
  more: readonly string[] = [],
  { ownPackages = false }: ProjectOptions = {},
): Promise<Project> => {
  const folder = await makeFolder();
  // The temporary folder may be a link, and the compiler speaks of real paths.
  const path = await realpath(folder.path);
  for (const part of [...parts, ...more]) {
    await cp(join(root, part), join(path, part), { recursive: true });
    // And what was built of it: building it again would only take time.
    const built = join('dist', part);
    if (existsSync(join(root, built))) await cp(join(root, built), join(path, built), { recursive: true });
  }
  await (ownPackages ? copyPackages : linkPackages)(join(path, 'node_modules'));
  const read = (file: string): Promise<string> => readFile(join(path, file), 'utf8');
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), text);
  };
  return {
    path,
    read,
    write,
    change: async (file, from, to) => {
      const text = await read(file);
      if (!text.includes(from)) throw new Error(`${file} has no "${from}"`);
      await write(
        file,
        text.replace(from, () => to),
      );
    },
    remove: folder.remove,
  };
};

/** The cache is that of the checkout, and stays there. */
const copyPackages = (folder: string): Promise<void> => {
  const cache = join(root, 'node_modules', '.cache');
  return cp(join(root, 'node_modules'), folder, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (source) => source !== cache,
  });
};

/** Links to every package, and a cache of its own: the checkout's belongs to the checkout. */
const linkPackages = async (folder: string): Promise<void> => {
  await mkdir(folder);
  const names = (await readdir(join(root, 'node_modules'))).filter((name) => name !== '.cache');
  for (const name of names) await symlink(join(root, 'node_modules', name), join(folder, name));
};
