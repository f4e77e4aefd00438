import { byOperation, countStates, type Coverage, type CoverageCell } from '../coverage/coverage.js';
import {
  casesWith,
  causesIn,
  isGood,
  outcomeOf,
  type CaseResult,
  type ContractResult,
  type RunResult,
  type StageResult,
} from '../run/results.js';
import {
  countOf,
  formatDuration,
  remoteEffects,
  problemText,
  runVerdict,
  skipsOf,
  subject,
} from './wording.js';

const signs = { passed: '✅', warned: '⚠️', skipped: '⏭️', failed: '❌' } as const;

/** GitHub refuses a summary of more than 1 MiB. */
const mostInSummary = 50;

interface MarkdownOptions {
  /** All failures and all cases, for a page of its own. */
  readonly complete?: boolean;
}

/** The run as Markdown, for a pull request or the page of a job. */
export const renderMarkdown = (result: RunResult, { complete = false }: MarkdownOptions = {}): string =>
  [
    `## ${isGood(result) ? '✅' : '❌'} Contract run`,
    `${escape(runVerdict(result))}. Seed \`${result.seed}\`.`,
    ...result.contracts.flatMap((contract) => contractParts(contract, result, complete)),
    ...remoteEffects(result).map(escape),
    ...result.attachments
      .filter(({ file }) => file.endsWith('.md'))
      .map(({ file, text }) => details(file, text.trim())),
    '',
  ].join('\n\n');

const contractParts = (contract: ContractResult, { url }: RunResult, complete: boolean): string[] => {
  const { stages, coverage } = contract;
  const skips = skipsOf(stages);
  return [
    `Looked at: ${escape(
      subject(
        contract,
        url,
        contract.stages.map(({ name }) => name),
      ),
    )}.`,
    table([['stage', 'result', 'cases', 'failed', 'warned', 'skipped', 'time'], ...stages.map(stageRow)]),
    ...stages.flatMap((stage) => stageProblems(stage, complete ? Infinity : mostInSummary)),
    ...(skips.length > 0
      ? [
          '### Not tried',
          table([['cases', 'why'], ...skips.map(([why, count]) => [String(count), escape(why)])]),
        ]
      : []),
    ...coverageParts(coverage),
    ...(complete ? ['### All cases', ...stages.map(allCases)] : []),
  ];
};

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

const stageProblems = (stage: StageResult, most: number): string[] => {
  const problems = [...causesIn(stage, 'failed'), ...causesIn(stage, 'warned')];
  if (problems.length === 0) return [];
  return [
    `### ${stage.name}`,
    ...problems.slice(0, most).map(problemPart),
    ...(problems.length > most ? [`… and ${problems.length - most} more: see \`index.html\`.`] : []),
    `To repeat: \`${stage.repeat}\``,
  ];
};

const problemPart = ({ name, outcome, problem, alsoSeenIn = [] }: CaseResult): string => {
  const seen = alsoSeenIn.map((one) => `- ${one.stage}: ${escape(one.name)}`).join('\n');
  return [
    `${signs[outcome]} **${escape(name)}**`,
    fence(problem ? problemText(problem) : ''),
    ...(alsoSeenIn.length === 0
      ? []
      : [details(`also seen in: ${countOf(alsoSeenIn.length, 'case')}`, seen)]),
  ].join('\n\n');
};

const allCases = ({ name, title, cases }: StageResult): string => {
  const lines = cases.map(({ outcome, name: tried, reason, sameAs }) => {
    const why = reason ?? (sameAs ? `as ${sameAs.stage}: ${sameAs.name}` : '');
    return `- ${signs[outcome]} ${escape(tried)}${why === '' ? '' : `: ${escape(why)}`}`;
  });
  return details(`${name}: ${title}, ${countOf(cases.length, 'case')}`, lines.join('\n'));
};

const coverageParts = (coverage: Coverage): string[] => {
  const unknown = coverage.unknown.map(
    ({ operationId, name }) =>
      `❌ A stage covers what the contract does not have: \`${operationId} ${name}\``,
  );
  if (!coverage.judged) return ['Coverage is judged in a run of all stages.', ...unknown];
  const { tested, excused, untested } = countStates(coverage.cells);
  const part = (cells: readonly CoverageCell[], kind: CoverageCell['kind']): string =>
    cells
      .filter((cell) => cell.kind === kind)
      .map(mark)
      .join('<br>');
  const missing = coverage.cells.filter(({ state }) => state === 'untested');
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
    ...(missing.length > 0
      ? [`Untested: ${missing.map(({ operationId, name }) => `\`${operationId} ${name}\``).join(', ')}`]
      : []),
    ...(coverage.reasons.length > 0
      ? [coverage.reasons.map((reason, index) => `${index + 1}. ${escape(reason)}`).join('\n')]
      : []),
    ...unknown,
  ];
};

const mark = ({ name, state, note }: CoverageCell): string =>
  `${{ tested: '✓', excused: `(${note ?? 0})`, untested: '✗' }[state]} ${escape(name)}`;

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
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|>]/g, (character) => `\\${character}`)
    .replaceAll('\n', ' ');
