import { byOperation, countStates, type Coverage, type CoverageCell } from '../coverage/coverage.js';
import {
  casesWith,
  isGood,
  outcomeOf,
  type CaseResult,
  type RunResult,
  type StageResult,
} from '../run/results.js';
import { formatDuration, problemText, runVerdict, subject } from './wording.js';

const signs = { passed: '✅', warned: '⚠️', skipped: '⏭️', failed: '❌' } as const;

/** GitHub refuses a summary of more than 1 MiB. */
const mostProblems = 50;

/** The run as Markdown, for a pull request or the page of a job. */
export const renderMarkdown = (result: RunResult): string =>
  [
    `## ${isGood(result) ? '✅' : '❌'} Contract run`,
    `${escape(subject(result))}: ${escape(runVerdict(result))}. Seed \`${result.seed}\`.`,
    table([
      ['stage', 'result', 'cases', 'failed', 'warned', 'skipped', 'time'],
      ...result.stages.map(stageRow),
    ]),
    ...result.stages.flatMap(stageProblems),
    ...coverageParts(result.coverage),
    ...result.attachments
      .filter(({ file }) => file.endsWith('.md'))
      .map(({ file, text }) => details(file, text.trim())),
    '',
  ].join('\n\n');

const stageRow = (stage: StageResult): string[] => {
  const outcome = outcomeOf(stage);
  return [
    `**${stage.name}** ${escape(stage.title)}`,
    `${signs[outcome]} ${outcome}`,
    String(stage.cases.length),
    ...(['failed', 'warned', 'skipped'] as const).map((kind) => String(casesWith(stage, kind).length)),
    formatDuration(stage.durationMs),
  ];
};

const stageProblems = (stage: StageResult): string[] => {
  const problems = [...casesWith(stage, 'failed'), ...casesWith(stage, 'warned')];
  const skips = new Set(casesWith(stage, 'skipped').map(({ reason = '' }) => reason));
  if (problems.length === 0 && skips.size === 0) return [];
  return [
    `### ${stage.name}`,
    ...problems.slice(0, mostProblems).map(problemPart),
    ...(problems.length > mostProblems
      ? [`… and ${problems.length - mostProblems} more: see \`index.html\`.`]
      : []),
    ...[...skips].map((reason) => `Skipped: ${escape(reason)}`),
    ...(problems.length > 0 ? [`To repeat: \`${stage.repeat}\``] : []),
  ];
};

const problemPart = ({ name, outcome, problem }: CaseResult): string =>
  [`${signs[outcome]} **${escape(name)}**`, '', fence(problem ? problemText(problem) : '')].join('\n');

const coverageParts = (coverage: Coverage): string[] => {
  if (!coverage.judged) return ['Coverage is judged in a run of all stages.', ...unknownPart(coverage)];
  const { tested, excused, untested } = countStates(coverage.cells);
  const part = (cells: readonly CoverageCell[], kind: CoverageCell['kind']): string =>
    cells
      .filter((cell) => cell.kind === kind)
      .map(mark)
      .join('<br>');
  return [
    '### Coverage',
    `${tested} tested ✓, ${excused} excused (n), ${untested} untested ✗`,
    details(
      'operations × statuses × parameters × fields',
      table([
        ['operation', 'statuses', 'parameters', 'fields'],
        ...[...byOperation(coverage)].map(([operationId, cells]) => [
          escape(operationId),
          part(cells, 'status'),
          part(cells, 'parameter'),
          part(cells, 'field'),
        ]),
      ]),
    ),
    ...(untested > 0 ? [`Untested: ${untestedNames(coverage)}`] : []),
    ...(coverage.reasons.length > 0
      ? [coverage.reasons.map((reason, index) => `${index + 1}. ${escape(reason)}`).join('\n')]
      : []),
    ...unknownPart(coverage),
  ];
};

const untestedNames = ({ cells }: Coverage): string =>
  cells
    .filter(({ state }) => state === 'untested')
    .map(({ operationId, name }) => `\`${operationId} ${name}\``)
    .join(', ');

const unknownPart = ({ unknown }: Coverage): string[] =>
  unknown.map(
    ({ operationId, name }) =>
      `❌ A stage covers what the contract does not have: \`${operationId} ${name}\``,
  );

const mark = ({ name, state, note }: CoverageCell): string => {
  const marks = { tested: '✓', excused: `(${note ?? 0})`, untested: '✗' };
  return `${marks[state]} ${escape(name)}`;
};

const table = ([heading = [], ...rows]: readonly (readonly string[])[]): string =>
  [heading, heading.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const details = (summary: string, content: string): string =>
  `<details><summary>${escape(summary)}</summary>\n\n${content}\n\n</details>`;

/** A fence longer than any in the text, so that an answer can't end it. */
const fence = (text: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
};

const escape = (text: string): string =>
  text.replace(/[\\`*_[\]<>|]/g, (character) => `\\${character}`).replaceAll('\n', ' ');
