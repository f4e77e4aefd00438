import {
  casesWith,
  isGood,
  outcomeOf,
  type CaseResult,
  type RunResult,
  type StageResult,
} from '../run/results.js';
import { coverageSection } from './htmlCoverage.js';
import { element, escapeHtml, raw } from './htmlElement.js';
import { style } from './htmlStyle.js';
import { countOf, formatDuration, runVerdict, subject } from './wording.js';

/** The run as one HTML file that needs nothing else. */
export const renderHtml = (result: RunResult): string => {
  const good = isGood(result);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    // Answers of the service stand in this page: whatever they hold, nothing of it runs or is fetched.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${good ? '✓' : '✗'} Contract run</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    '<h1>Contract run</h1>',
    `<p class="verdict ${good ? 'passed' : 'failed'}">${good ? '✓ Passed' : '✗ Failed'}<span>${escapeHtml(runVerdict(result))}</span></p>`,
    `<p class="about">Held against each other: ${escapeHtml(subject(result))}, on ${result.startedAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC, seed ${result.seed}. ${introduction}</p>`,
    stageTable(result.stages),
    ...problemSection('Failures', 'failed', result.stages),
    ...problemSection('Warnings', 'warned', result.stages),
    ...coverageSection(result.coverage),
    ...result.attachments.map(
      ({ file, text }) =>
        `<h2>${escapeHtml(file)}</h2><details><summary>Show, or open <a href="${escapeHtml(encodeURIComponent(file))}">the file</a></summary><pre>${escapeHtml(text)}</pre></details>`,
    ),
    '<h2>All cases</h2>',
    ...result.stages.map(stageCases),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
};

const introduction =
  'Each stage looks at the contract or the service from another side. A run passes when no stage fails and everything ' +
  'that the contract documents was tried, or has a written reason why it could not be.';

const outcomeNames = {
  passed: '✓ ok',
  failed: '✗ failed',
  warned: '! warning',
  skipped: '– skipped',
} as const;

const stageTable = (stages: readonly StageResult[]): string => {
  const rows = stages.map((stage) => {
    const outcome = outcomeOf(stage);
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, raw(`<a href="#${stage.name}">${stage.name}</a>`)),
      element('td', {}, stage.title),
      element('td', { class: outcome }, outcomeNames[outcome]),
      ...[
        stage.cases.length,
        casesWith(stage, 'failed').length,
        casesWith(stage, 'warned').length,
        casesWith(stage, 'skipped').length,
      ].map((figure) => element('td', { class: 'figure' }, String(figure))),
      element('td', { class: 'figure' }, formatDuration(stage.durationMs)),
    ).html;
  });
  const heading = ['stage', 'looks at', 'result', 'cases', 'failed', 'warned', 'skipped', 'time'].map(
    (title, index) => element('th', { scope: 'col', class: index > 2 ? 'figure' : '' }, title).html,
  );
  return `<div class="wide"><table class="stages"><thead><tr>${heading.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
};

const problemSection = (
  title: string,
  outcome: 'failed' | 'warned',
  stages: readonly StageResult[],
): string[] => {
  const found = stages.filter((stage) => casesWith(stage, outcome).length > 0);
  if (found.length === 0) return [];
  const count = found.reduce((sum, stage) => sum + casesWith(stage, outcome).length, 0);
  return [
    `<h2>${title} <small>${count}</small></h2>`,
    ...found.flatMap((stage) => [
      `<h3>${stage.name} <small>to repeat:</small> <code>${escapeHtml(stage.repeat)}</code></h3>`,
      ...casesWith(stage, outcome).map(problemCard),
    ]),
  ];
};

const problemCard = ({ name, outcome, problem }: CaseResult): string => {
  const { what = '', at, line, curl, seed } = problem ?? {};
  const row = (title: string, content: string): string => `<dt>${title}</dt><dd>${content}</dd>`;
  return [
    `<article class="${outcome}"><h4>${escapeHtml(name)}</h4><dl>`,
    row('What', `<p class="what">${escapeHtml(what)}</p>`),
    at === undefined
      ? ''
      : row(
          'Where',
          `<code>${escapeHtml(at)}</code>${line === undefined ? '' : `<pre>${escapeHtml(line)}</pre>`}`,
        ),
    curl === undefined ? '' : row('Request', `<pre>${escapeHtml(curl)}</pre>`),
    seed === undefined ? '' : row('Seed', `<code>${seed}</code>`),
    '</dl></article>',
  ].join('');
};

const stageCases = (stage: StageResult): string => {
  const rows = stage.cases.map(({ name, outcome, reason }) => {
    const why = reason === undefined ? '' : ` <small>${escapeHtml(reason)}</small>`;
    return `<li class="${outcome}">${escapeHtml(name)}${why}</li>`;
  });
  const summary = `${stage.name} <small>${escapeHtml(stage.title)}: ${countOf(stage.cases.length, 'case')}</small>`;
  return `<details id="${stage.name}"><summary>${summary}</summary><ul class="cases">${rows.join('')}</ul></details>`;
};
