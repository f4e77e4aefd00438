import { execFile, spawn, spawnSync } from 'node:child_process';
import { chown, cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../src/lib/errorCode.js';
import { root } from './built.js';
import { followProcess } from './followedProcess.js';
import { until } from './until.js';

const run = promisify(execFile);

const unprivileged = { uid: 65_534, gid: 65_534 };

/** Node may be in a folder that only root may enter. */
const mayRunNode = (): boolean => spawnSync(process.execPath, ['--version'], unprivileged).status === 0;

/** The user and group that own nothing, where this process may take their place. */
export const nobody = process.getuid?.() === 0 && mayRunNode() ? unprivileged : undefined;

/** Packs the build that is there, and returns the path of the tarball. */
export const packTarball = async (folder: string): Promise<string> => {
  // `prepack` would build anew, under the feet of other tests.
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
};

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What only installing and compiling sqlite3 needs. */
const needsNoCopy = (name: string): boolean =>
  ['prebuild-install', 'tar', 'node-gyp', 'node-addon-api'].includes(name);

/** The packages that the program needs, by their place in node_modules. They all lie at the top. */
const packagesOf = (
  packages: Readonly<Record<string, LockedPackage>>,
  names: readonly string[],
  found = new Set<string>(),
): Set<string> => {
  for (const name of names.filter((one) => !needsNoCopy(one) && !found.has(one))) {
    const locked = packages[`node_modules/${name}`];
    if (!locked) continue;
    found.add(name);
    packagesOf(packages, Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }), found);
  }
  return found;
};

/** Puts the content of a tarball into a folder as npm would, with packages of this checkout. */
const placeTarball = async (tarball: string, folder: string): Promise<void> => {
  const place = join(folder, 'node_modules/voucherd');
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await mkdir(place);
  await run('tar', ['-xzf', tarball, '--strip-components=1', '--no-same-owner', '-C', place]);
  await symlink('../voucherd/scripts/voucherd.mjs', join(folder, 'node_modules/.bin/voucherd'));
  const { dependencies } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  for (const name of packagesOf(packages, Object.keys(dependencies)))
    await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
      // What was left from compiling is ten times as large as the result.
      filter: (file) => !/sqlite3\/(?:deps|build\/Release\/(?:obj|\.deps|.*\.a$))/.test(file),
    }).catch((error: unknown) => {
      // Those for other platforms are not installed.
      if (errorCode(error) !== 'ENOENT') throw error;
    });
};

/** An installed program. */
export interface InstalledPackage {
  /** The folder that it was installed in; it belongs to the user that runs it, and so does `data` inside. */
  readonly folder: string;
  /** Runs a command to its end, as an unprivileged user with an empty home, and returns what it printed. */
  run(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  serve(argv: readonly string[], env?: Readonly<Record<string, string>>): RunningService;
}

interface RunningService {
  printed(): string;
  /** Waits until a pattern is printed, and returns its groups. */
  find(pattern: RegExp): Promise<RegExpExecArray>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Installs a tarball in an empty folder: with npm and the registry, or with the packages of this checkout. */
export const installTarball = async (
  tarball: string,
  folder: string,
  { withNpm = false } = {},
): Promise<InstalledPackage> => {
  const home = join(folder, 'home');
  const app = join(folder, 'app');
  for (const path of [home, app]) {
    await mkdir(path, { recursive: true });
    if (nobody) await chown(path, nobody.uid, nobody.gid);
  }
  // npm's configuration of this user is not read, except where the headers of Node are.
  const environment = (env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: home,
    ...env,
  });
  if (withNpm)
    await run('npm', ['install', '--foreground-scripts', tarball], {
      cwd: app,
      env: environment({ npm_config_nodedir: process.env['npm_config_nodedir'] ?? '' }),
      maxBuffer: 64 * 1024 * 1024,
      ...nobody,
    });
  else await placeTarball(tarball, app);
  const options = (env?: Readonly<Record<string, string>>) => ({
    cwd: app,
    env: environment(env),
    ...nobody,
  });
  const program = join(app, 'node_modules/.bin/voucherd');
  return {
    folder: app,
    run: async (argv, env) => (await run(program, argv, options(env))).stdout.trim(),
    serve: (argv, env) => {
      const child = spawn(program, ['serve', ...argv], options(env));
      const { printed, ended } = followProcess(child);
      return {
        printed,
        find: (pattern) =>
          until(`${String(pattern)} is printed`, () => {
            if (child.exitCode !== null) throw new Error(`it ended: ${printed()}`);
            return pattern.exec(printed()) ?? undefined;
          }),
        end: (signal) => {
          child.kill(signal);
          return ended;
        },
      };
    },
  };
};
