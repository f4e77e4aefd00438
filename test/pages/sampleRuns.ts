import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SampleLanguage } from '../../web/reference/sampleLanguages.js';

const run = promisify(execFile);

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

interface Interpreter {
  readonly program: string;
  /** How a sample is run as its reader would run it. */
  readonly argv: readonly [program: string, file: string];
  /** Runs the samples whose files are its arguments, one after the other; one that fails ends none of the others. */
  readonly runner: string;
}

const interpreters: Record<SampleLanguage, Interpreter> = {
  curl: {
    program: 'curl',
    argv: ['sh', 'sample.sh'],
    runner: 'for file in "$@"; do . "./$file"; done',
  },
  TypeScript: {
    program: 'node',
    argv: ['node', 'sample.mjs'],
    runner: `for (const file of process.argv.slice(2))
      await import(\`./\${file}\`).catch((error) => console.error(file, error));`,
  },
  Python: {
    program: 'python3',
    argv: ['python3', 'sample.py'],
    runner: `import runpy, sys, traceback
for file in sys.argv[1:]:
    try:
        runpy.run_path(file, run_name='__main__')
    except Exception:
        traceback.print_exc()`,
  },
  PHP: {
    program: 'php',
    argv: ['php', 'sample.php'],
    runner: `<?php
foreach (array_slice($argv, 1) as $file) {
    try { (function () use ($file) { include __DIR__ . "/$file"; })(); }
    catch (Throwable $error) { fwrite(STDERR, "$file: $error\n"); }
}`,
  },
};
/** The languages whose samples can be run here, and the others. */
export const [available, absent] = [true, false].map((isThere) =>
  (Object.keys(interpreters) as SampleLanguage[]).filter(
    (language) => has(interpreters[language].program) === isThere,
  ),
) as [SampleLanguage[], SampleLanguage[]];

/** Runs a sample in a folder, in a process of its own, and returns what it printed. */
export const runSample = async (
  folder: string,
  language: SampleLanguage,
  text: string,
  key: string,
): Promise<string> => {
  const [program, file] = interpreters[language].argv;
  await writeFile(join(folder, file), text);
  const env = { ...process.env, VOUCHERD_KEY: key };
  return (await run(program, [file], { cwd: folder, env })).stdout;
};

/** Runs many samples in one process, and returns what it complains of. */
export const runSamples = async (
  folder: string,
  language: SampleLanguage,
  samples: readonly string[],
): Promise<string> => {
  const { argv, runner } = interpreters[language];
  const [program, file] = argv;
  const files = samples.map((_, index) => `${index}-${file}`);
  for (const [index, name] of files.entries()) await writeFile(join(folder, name), samples[index]!);
  await writeFile(join(folder, `all-${file}`), runner);
  return (await run(program, [`all-${file}`, ...files], { cwd: folder })).stderr;
};

export interface Arrived {
  readonly body: string;
  readonly odd: string | undefined;
}

/** A server that keeps the bodies it gets, byte by byte, and one header: by the first part of the path. */
export const startRecorder = async () => {
  const got = new Map<string, Arrived>();
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const [, id = ''] = (req.url ?? '').split('/');
      got.set(id, { body: Buffer.concat(parts).toString(), odd: req.headers['x-odd']?.toString() });
      res.end('{}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    got,
    close: () => new Promise((done) => server.close(done)),
  };
};
