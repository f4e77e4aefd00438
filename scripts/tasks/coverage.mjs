// Which lines the tests reach, from what V8 has counted. What a statement is, says istanbul, so that comments and
// types do not count.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import istanbul from 'istanbul-lib-coverage';
import { createInstrumenter } from 'istanbul-lib-instrument';
import { compile, sourceMapOf } from '../../test/setup/native/compile.mjs';
import { root, StepFailed } from './run.mjs';

/** How often each character of a code ran. Ranges lie in each other; the innermost one counts. */
const countCharacters = (length, ranges) => {
  const counts = new Float64Array(length);
  const outerFirst = ranges.toSorted((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  for (const { startOffset, endOffset, count } of outerFirst) counts.fill(count, startOffset, endOffset);
  return counts;
};

/** Adds the counts of one process to what istanbul knows of a file. Lines follow from statements. */
const addCounts = ({ statementMap, s }, code, ranges) => {
  const counts = countCharacters(code.length, ranges);
  const lineStarts = [0];
  for (let end = code.indexOf('\n'); end !== -1; end = code.indexOf('\n', end + 1)) lineStarts.push(end + 1);
  for (const [id, { start }] of Object.entries(statementMap))
    s[id] += counts[lineStarts[start.line - 1] + start.column] ?? 0;
};

/** What the processes have counted, as a coverage map of istanbul. */
export const toCoverageMap = (counted) => {
  const files = new Map();
  const instrumenter = createInstrumenter({ esModules: true, compact: true });
  for (const { url, ranges } of counted.flat()) {
    let file = files.get(url);
    if (!file) {
      const filename = fileURLToPath(url);
      const code = compile(filename);
      instrumenter.instrumentSync(code, filename, sourceMapOf(code));
      file = { code, coverage: structuredClone(instrumenter.lastFileCoverage()) };
      files.set(url, file);
    }
    addCounts(file.coverage, file.code, ranges);
  }
  const map = istanbul.createCoverageMap();
  for (const { coverage } of files.values()) map.addFileCoverage(coverage);
  return map.toJSON();
};

const countedFolders = ['src', 'handlers'];
/** The share of lines, in percent, that all groups together reach at least. */
const enoughLines = 90;
const shownFiles = 20;

const sources = () =>
  countedFolders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .map((path) => `${root}${folder}/${path}`),
  );

/** Says which lines the groups have reached that ran until now, and fails when it was all of them and too few lines. */
export const reportCoverage = (folder, groups) => {
  const files = groups.map((group) => `${folder}${group}.coverage.json`).filter((file) => existsSync(file));
  const map = istanbul.createCoverageMap(
    toCoverageMap([sources().map((path) => ({ url: pathToFileURL(path).href, ranges: [] }))]),
  );
  for (const file of files) map.merge(JSON.parse(readFileSync(file, 'utf8')));
  const linesOf = (path) => map.fileCoverageFor(path).toSummary().lines;
  const worst = map
    .files()
    .map((path) => ({ path, ...linesOf(path) }))
    .toSorted((a, b) => b.total - b.covered - (a.total - a.covered))
    .slice(0, shownFiles);
  for (const { path, total, covered } of worst)
    console.log(
      `${String(total - covered).padStart(6)} of ${total} lines not reached: ${path.slice(root.length)}`,
    );
  const { lines } = map.getCoverageSummary();
  console.log(`Lines reached: ${lines.pct} % of ${lines.total} (${files.length} of ${groups.length} groups)`);
  if (files.length === groups.length && lines.pct < enoughLines)
    throw new StepFailed(`the tests reach fewer than ${enoughLines} % of the lines`);
};
