import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { parse, stringify } from 'yaml';
import { packageRoot } from '../../../src/lib/packageRoot.js';
import { changesOf, type ServiceDefect } from './serviceDefect.js';

/** What the contract run said of a defect. */
export interface DefectOutcome {
  readonly defect: ServiceDefect;
  /** The first stage that failed; undefined when none did. */
  readonly stage: string | undefined;
  /** The first problem of that stage, or why there is none. */
  readonly says: string;
}

/** A copy of the checkout that defects are planted in, one at a time. */
export interface DefectiveCopy {
  /** Plants a defect, compiles, runs, and removes the defect again. */
  run(defect: ServiceDefect): Promise<DefectOutcome>;
  remove(): Promise<void>;
}

const parts = [
  ...['src', 'handlers', 'generated', 'simulators', 'scripts', 'tools', 'test/scenarios', 'web'],
  ...['openapi.yaml', 'web.yaml', 'redocly.yaml'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.declarations.json'],
];

/** Copies what is built and run. The packages are those of the checkout, but for their cache. */
export const makeDefectiveCopy = async (): Promise<DefectiveCopy> => {
  const folder = await mkdtemp(join(tmpdir(), 'voucherd-defects-'));
  for (const part of parts) await cp(join(packageRoot, part), join(folder, part), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(packageRoot, 'node_modules')))
    if (name !== '.cache')
      await symlink(join(packageRoot, 'node_modules', name), join(folder, 'node_modules', name));
  const { status, output } = await runNode(folder, ['scripts/build.mjs']);
  if (status !== 0) throw new Error(`the copy does not compile: ${output}`);
  // Without the bundle the compiled sources are the program, and only the one that changes is compiled again.
  await rm(join(folder, 'dist/program'), { recursive: true });

  return {
    run: async (defect) => {
      const file = join(folder, defect.file);
      const original = await readFile(file, 'utf8');
      await writeFile(
        file,
        changesOf(defect).reduce((source, { from, to }) => source.replace(from, () => to), original),
      );
      try {
        return { defect, ...(await compileAndRun(folder, defect)) };
      } finally {
        await writeFile(file, original);
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const asking = ['examples', 'conformance', 'generated', 'security'];
const ofApi = ['--contract', 'openapi.yaml'];

/**
 * Most are found by the first stage that asks the service, with the contract of the API. Only where it finds nothing is
 * more of the run needed.
 */
const runsFor = ({ contract }: ServiceDefect): readonly (readonly string[])[] =>
  contract
    ? [['conformance'], ['generated', 'security']].map((stages) => [...stages, '--contract', contract])
    : [['conformance', ...ofApi], [...asking, ...ofApi], ['conformance'], asking];

const compileAndRun = async (
  folder: string,
  defect: ServiceDefect,
): Promise<Omit<DefectOutcome, 'defect'>> => {
  await build({
    absWorkingDir: folder,
    entryPoints: [defect.file],
    outbase: '.',
    outdir: 'dist',
    format: 'esm',
    logLevel: 'warning',
  });
  const within = await writePart(folder, defect);
  for (const stages of runsFor(defect)) {
    const program = [join(folder, 'dist/scripts/contract.js'), ...stages, '--seed', '1'];
    const { status, output } = await runNode(within, program);
    const [, stage] = /^FAIL (\w+)/m.exec(output) ?? [];
    const [, tried = '', what = ''] = /^ *✗ (.*)\n(.*)$/m.exec(output) ?? [];
    if (status === 1 && stage !== undefined) return { stage, says: `${tried}: ${what.trim()}` };
    if (status !== 0) return { stage: undefined, says: `the run broke off: ${output}` };
  }
  return { stage: undefined, says: 'nothing was found' };
};

/** Where the run is started: it finds the part of the contract there that can show the defect. The service has all of it. */
const writePart = async (folder: string, { contract, operations }: ServiceDefect): Promise<string> => {
  if (!contract || !operations) return folder;
  const document = parse(await readFile(join(folder, contract), 'utf8'), {
    merge: true,
    maxAliasCount: -1,
  }) as PartOfContract;
  const paths = Object.entries(document.paths).filter(([, item]) =>
    Object.values(item).some(({ operationId = '' }) => operations.includes(operationId)),
  );
  const within = join(folder, 'part');
  await mkdir(within, { recursive: true });
  await writeFile(join(within, contract), stringify({ ...document, paths: Object.fromEntries(paths) }));
  return within;
};

interface PartOfContract {
  readonly paths: Record<string, Record<string, { readonly operationId?: string }>>;
}

const runNode = (
  folder: string,
  args: readonly string[],
): Promise<{ readonly status: number | null; readonly output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, CI: '1' } });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString().trim() }));
  });
