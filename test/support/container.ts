import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parseCommand, textsOf, type Stage } from './dockerfile.js';
import { followProcess } from './followedProcess.js';
import { until } from './until.js';

// Runs the instructions of a Dockerfile without Docker: in a folder that has the programs of this machine and nothing
// else of it, as the root of a process with its own mounts, processes and network.

const run = promisify(execFile);

/** Why containers can not be made here; undefined when they can. */
export const whyNoContainers = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'only root may make a container';
  if (!process.execPath.startsWith('/usr/')) return 'Node is not below /usr';
  const root = mkdtempSync(join(tmpdir(), 'voucherd-root-'));
  try {
    makeRoot(root);
    const script = [...mounts(root, ['opt']), `exec chroot ${quote(root)} node --version`].join(' && ');
    // Through a shell, which says so when there is no unshare.
    const args = ['-c', 'exec "$@"', 'sh', 'unshare', ...unshare, 'sh', '-ec', script];
    const { status, stderr } = spawnSync('sh', args, { env: { PATH: path }, encoding: 'utf8' });
    const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
    if (status !== 0) return `it is not allowed, or something is missing: ${stderr.trim()}`;
    return ['setpriv', 'nsenter'].every(has) ? undefined : 'setpriv or nsenter is missing';
  } finally {
    rmSync(root, { recursive: true });
  }
};

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The user of Node's images. */
const user = { name: 'node', id: '1000' };

/** An empty root with the programs of this machine. Its `usr` is mounted when something runs in it. */
export const makeRoot = (folder: string): void => {
  for (const name of ['usr', 'proc', 'dev', 'tmp', 'etc', 'opt', 'run', 'root'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name));
  const [names, groups] = ['root:x:0:0::/root:/bin/sh', 'root:x:0:'];
  writeFileSync(
    join(folder, 'etc/passwd'),
    `${names}\n${user.name}:x:${user.id}:${user.id}::/nonexistent:/bin/sh\n`,
  );
  writeFileSync(join(folder, 'etc/group'), `${groups}\n${user.name}:x:${user.id}:\n`);
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Mounts what a process in a root needs; then the root is made read-only, except for some folders. */
const mounts = (root: string, writable?: readonly string[]): string[] => {
  const at = (path: string): string => quote(join(root, path));
  return [
    'ip link set lo up',
    `mount --bind ${at('')} ${at('')}`,
    `mount --rbind --read-only /usr ${at('usr')} 2>/dev/null || mount --rbind /usr ${at('usr')}`,
    `mount --rbind /dev ${at('dev')}`,
    `mount -t proc proc ${at('proc')}`,
    `mount -t tmpfs tmpfs ${at('tmp')}`,
    ...(writable ?? []).map((path) => `mount --bind ${at(path)} ${at(path)}`),
    ...(writable ? [`mount -o remount,bind,ro ${at('usr')}`, `mount -o remount,bind,ro ${at('')}`] : []),
  ];
};

const unshare = ['--mount', '--pid', '--net', '--fork', '--kill-child', '--propagation', 'private'];

/** The environment of a stage. */
export const environmentOf = (stage: Stage): Record<string, string> => ({
  PATH: path,
  HOME: '/nonexistent',
  ...Object.fromEntries(
    textsOf(stage, 'ENV').flatMap((text) =>
      text.split(/\s+/).map((pair) => pair.split('=') as [string, string]),
    ),
  ),
});

/** Does what the instructions of a stage say, in their order. `built` has the folders of the stages before. */
export const applyStage = async (
  root: string,
  stage: Stage,
  built: (path: string) => string,
): Promise<void> => {
  for (const { name, options, text } of stage.instructions)
    if (name === 'COPY') {
      const [from = '', to = ''] = text.split(/\s+/);
      if (options['from'] === undefined) throw new Error('this stage copies from the build context');
      mkdirSync(dirname(join(root, to)), { recursive: true });
      cpSync(built(from), join(root, to), { recursive: true, verbatimSymlinks: true });
    } else if (name === 'RUN') {
      const script = [...mounts(root), `exec chroot ${quote(root)} /bin/sh -ec ${quote(text)}`].join(' && ');
      await run('unshare', [...unshare, 'sh', '-c', script], { env: environmentOf(stage) });
    } else if (name === 'WORKDIR') mkdirSync(join(root, text), { recursive: true });
};

/** A running container. */
export interface Container {
  /** Runs a program inside, as the user of the image, and returns what it printed. */
  exec(command: readonly string[]): Promise<string>;
  /** Sends a signal to the process of the image, and resolves with its exit status. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  printed(): string;
}

/** Starts a stage as Docker would with `--read-only --tmpfs /tmp`, and its volumes writable. */
export const startContainer = async (
  root: string,
  stage: Stage,
  env: Readonly<Record<string, string>> = {},
): Promise<Container> => {
  const [id] = textsOf(stage, 'USER').map((name) => (name === user.name ? user.id : name));
  if (id === undefined) throw new Error('the image runs as root');
  const asUser = [
    'setpriv',
    `--reuid=${id}`,
    `--regid=${id}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ];
  const command = ['ENTRYPOINT', 'CMD'].flatMap((name) => parseCommand(textsOf(stage, name)[0] ?? '') ?? []);
  const [folder = '/'] = textsOf(stage, 'WORKDIR').slice(-1);
  const inFolder = ['env', `--chdir=${folder}`];
  const script = [
    ...mounts(root, textsOf(stage, 'VOLUME')),
    `exec chroot ${quote(root)} ${[...asUser, ...inFolder, ...command].map(quote).join(' ')}`,
  ].join(' && ');
  const child = spawn('unshare', [...unshare, 'sh', '-c', script], {
    env: { ...environmentOf(stage), ...env },
  });
  const { printed, ended } = followProcess(child);
  const pid = await until('it has a process', () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${printed()}`);
    return findChild(child);
  });
  const enter = ['--target', pid, '--mount', '--pid', '--net', '--root', '--wd=/'];
  return {
    exec: async (words) => {
      const options = { env: { ...environmentOf(stage), ...env } };
      return (await run('nsenter', [...enter, ...asUser, ...inFolder, ...words], options)).stdout.trim();
    },
    kill: (signal) => {
      process.kill(Number(pid), signal);
      return ended;
    },
    printed,
  };
};

/** The one process that `unshare` has started: in its own view the first one. */
const findChild = ({ pid = 0 }: ChildProcess): string | undefined => {
  const task = `/proc/${String(pid)}/task/${String(pid)}/children`;
  return /^\d+/.exec(readFileSync(task, 'utf8'))?.[0];
};
