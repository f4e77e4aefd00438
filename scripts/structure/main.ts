// `npm run structure`: figures about the source tree. `--against <commit>` compares them with those of a commit, and
// `--list` names cycles, duplicate exports and tiny files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '../lib/textTable.js';
import {
  findDuplicateExports,
  findImportCycles,
  findSmallSingleImporterFiles,
  readModuleGraph,
  type ModuleGraph,
} from './moduleGraph.js';

const folders = ['src', 'scripts', 'simulators', 'web'] as const;
const importerFolders = [...folders, 'handlers'];

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const inFolder = (graph: ModuleGraph, folder: string): ModuleGraph =>
  new Map([...graph].filter(([path]) => path.startsWith(`${folder}/`)));

/** The figures of one checkout, in the order of the printed rows. */
const figuresOf = (root: string): Map<string, string> => {
  const there = importerFolders.filter((folder) => existsSync(join(root, folder)));
  const graph = readModuleGraph(root, there);
  const small = findSmallSingleImporterFiles(graph);
  const cycles = findImportCycles(graph);
  const figures = new Map<string, string>();
  for (const folder of folders) {
    const lengths = [...inFolder(graph, folder).values()].map(({ lines }) => lines);
    if (lengths.length === 0) continue;
    figures.set(`${folder}: files`, String(lengths.length));
    figures.set(`${folder}: lines, median`, String(medianOf(lengths)));
    figures.set(`${folder}: lines, largest`, String(Math.max(...lengths)));
    figures.set(
      `${folder}: one importer, under 40 lines`,
      String(small.filter((path) => path.startsWith(`${folder}/`)).length),
    );
  }
  figures.set('import cycles', String(cycles.length));
  figures.set('files in import cycles', String(cycles.flat().length));
  figures.set('names exported more than once', String(findDuplicateExports(graph).length));
  return figures;
};

/** Runs `work` on a copy of the sources of a commit. */
const withCommit = <T>(commit: string, work: (root: string) => T): T => {
  const copy = mkdtempSync(join(tmpdir(), 'structure-'));
  try {
    const inCommit = execFileSync('git', ['ls-tree', '--name-only', commit], { encoding: 'utf8' }).split(
      '\n',
    );
    const there = importerFolders.filter((folder) => inCommit.includes(folder));
    const archive = execFileSync('git', ['archive', commit, ...there], { maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x', '-C', copy], { input: archive });
    return work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

const [option, commit] = process.argv.slice(2);
if (option === '--list') {
  const graph = readModuleGraph('.', importerFolders);
  for (const cycle of findImportCycles(graph)) console.log(`cycle: ${cycle.join(' ')}`);
  for (const [name, paths] of findDuplicateExports(graph))
    console.log(`exported twice: ${name} (${paths.join(', ')})`);
  for (const path of findSmallSingleImporterFiles(graph))
    console.log(`one importer, under 40 lines: ${path}`);
} else if (option === '--against' && commit !== undefined) {
  const before = withCommit(commit, figuresOf);
  const now = figuresOf('.');
  console.log(
    formatTable([
      ['', commit, 'now'],
      ...[...now].map(([name, value]) => [name, before.get(name) ?? '', value]),
    ]),
  );
} else console.log(formatTable([['', 'now'], ...[...figuresOf('.')].map(([name, value]) => [name, value])]));
