import { byOperation, countStates, type Coverage, type CoverageCell } from '../coverage/coverage.js';
import { element, escapeHtml, type Raw } from './htmlElement.js';

const kinds = { status: 'Statuses', parameter: 'Parameters', field: 'Fields' } as const;
type Kind = keyof typeof kinds;

/** Operations × statuses × parameters × fields, with the reasons of what is excused. */
export const coverageSection = (coverage: Coverage): string[] => {
  const { cells, reasons, unknown, judged } = coverage;
  const { tested, excused, untested } = countStates(cells);
  const heading = ['Operation', ...Object.values(kinds)].map(
    (title) => element('th', { scope: 'col' }, title).html,
  );
  const rows = [...byOperation(coverage)].map(([operationId, own]) => operationRow(operationId, own));
  return [
    `<h2>Coverage <small>${tested} tested, ${excused} excused, ${untested} untested</small></h2>`,
    `<p class="about">What the contract documents, and whether this run tried it: ${legend}. ${
      judged
        ? 'A field stands once for every status that has it.'
        : 'This run did not have all stages; what is untested does not count against it.'
    }</p>`,
    `<div class="wide"><table class="coverage"><thead><tr>${heading.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    ...(reasons.length > 0
      ? [`<ol class="reasons">${reasons.map((reason) => element('li', {}, reason).html).join('')}</ol>`]
      : []),
    ...unknown.map(
      ({ operationId, name }) =>
        `<p class="failed">✗ A stage covers what the contract does not have: ${escapeHtml(`${operationId} ${name}`)}</p>`,
    ),
  ];
};

const legend = [
  '<span class="cell tested">✓ tested</span>',
  '<span class="cell excused">n excused, for the reason with this number</span>',
  '<span class="cell untested">✗ untested</span>',
].join(' ');

const operationRow = (operationId: string, cells: readonly CoverageCell[]): string => {
  const columns = (Object.keys(kinds) as Kind[]).map((kind) =>
    element('td', {}, ...groups(cells.filter((cell) => cell.kind === kind))),
  );
  return element('tr', {}, element('th', { scope: 'row' }, operationId), ...columns).html;
};

/** Fields are grouped by what has them: the body, or a status. */
const groups = (cells: readonly CoverageCell[]): Raw[] => {
  const found = new Map<string, CoverageCell[]>();
  for (const cell of cells) {
    const group = cell.kind === 'field' ? cell.name.slice(0, cell.name.indexOf(' ')) : '';
    found.set(group, [...(found.get(group) ?? []), cell]);
  }
  return [...found].map(([group, own]) =>
    element(
      'div',
      { class: 'group' },
      ...(group === '' ? [] : [element('b', {}, group), ' ']),
      ...own.map((cell) => chip(cell, group)),
    ),
  );
};

const chip = ({ name, state, note }: CoverageCell, group: string): Raw => {
  const marks = { tested: '✓', excused: String(note ?? 0), untested: '✗' };
  const shown = group === '' ? name : name.slice(group.length + 1);
  return element('span', { class: `cell ${state}` }, `${marks[state]} ${shown}`);
};
