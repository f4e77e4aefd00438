import { byOperation, countStates, type Coverage, type CoverageCell } from '../coverage/coverage.js';

const kinds = { status: 'statuses', parameter: 'parameters', field: 'fields' } as const;

/** The coverage as a table for a terminal. */
export const coverageLines = (coverage: Coverage): string[] => {
  if (!coverage.judged) return ['Coverage is judged in a run of all stages.', ...unknownLines(coverage)];
  const { tested, excused, untested } = countStates(coverage.cells);
  return [
    `Coverage: ${tested} tested ✓, ${excused} excused (n), ${untested} untested ✗`,
    ...[...byOperation(coverage)].flatMap(([operationId, cells]) => [
      `  ${operationId}`,
      ...(Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
        kindLines(
          kinds[kind],
          cells.filter((cell) => cell.kind === kind),
        ),
      ),
    ]),
    ...coverage.reasons.map((reason, index) => `  (${index + 1}) ${reason}`),
    ...unknownLines(coverage),
  ];
};

const unknownLines = ({ unknown }: Coverage): string[] =>
  unknown.map(
    ({ operationId, name }) => `  ✗ a stage covers what the contract does not have: ${operationId} ${name}`,
  );

const kindLines = (title: string, cells: readonly CoverageCell[]): string[] => {
  if (cells.length === 0) return [];
  const shown = title === 'fields' ? fewCells(cells) : cells.map(mark);
  return wrap(shown, 92).map((line, index) => `    ${(index === 0 ? title : '').padEnd(11)} ${line}`);
};

/** Fields are many: those that are tested are only counted. */
const fewCells = (cells: readonly CoverageCell[]): string[] => {
  const { tested } = countStates(cells);
  return [
    ...(tested > 0 ? [`✓ ${tested} of ${cells.length}`] : []),
    ...cells.filter(({ state }) => state !== 'tested').map(mark),
  ];
};

const mark = ({ name, state, note }: CoverageCell): string => {
  const marks = { tested: '✓', excused: `(${note ?? 0})`, untested: '✗' };
  return `${marks[state]} ${name}`;
};

const wrap = (parts: readonly string[], width: number): string[] => {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length + 3 <= width)
      lines[lines.length - 1] = `${last}   ${part}`;
    else lines.push(part);
  }
  return lines;
};
