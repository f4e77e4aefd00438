import { fileURLToPath } from 'node:url';
import { getLineColLocation, lintFromString, loadConfig } from 'redocly-core';
import { FolderResolver, fileOf } from './folderResolver.mjs';

const configPath = fileURLToPath(new URL('../../redocly.yaml', import.meta.url));
let config;

/**
 * What the rules of redocly.yaml, Redocly's and ours, find in a contract. `folder` has the files that it refers to;
 * what is found in one of them has a `file`.
 */
export const lintContract = async (source, folder, name = 'openapi.yaml') => {
  config ??= loadConfig({ configPath });
  let problems;
  try {
    problems = await lintFromString({
      source,
      absoluteRef: `/${name}`,
      config: await config,
      externalRefResolver: new FolderResolver(folder),
    });
  } catch (error) {
    return [invalidYaml(error, name)];
  }
  const findings = problems
    .filter(({ ignored }) => !ignored)
    .map(({ ruleId: rule, severity, message, location: [reported] }) => {
      const { start } = getLineColLocation(reported);
      const pointer = reported.pointer?.replace(/^#/, '') ?? '/';
      const place = { line: start.line, column: start.col, ...elsewhere(reported.source, name) };
      return { rule, severity, message, pointer, ...place };
    })
    .map(explainNumericBound)
    .sort((one, other) => one.line - other.line || one.column - other.column);
  return groupByCause(findings);
};

/** The file of a finding, unless it is the contract itself. */
const elsewhere = (source, name) => (fileOf(source) === name ? {} : { file: fileOf(source) });

/** What Redocly throws at a text that is no YAML, as a finding. */
const invalidYaml = (error, name) => {
  const { line, col, originalError } = error;
  if (line === undefined) throw error;
  const message = originalError?.reason ?? error.message;
  // It points behind the star.
  const column = message.startsWith('unidentified alias') ? col - 1 : col;
  const rule = 'yaml';
  const place = { line, column, ...(error.source ? elsewhere(error.source, name) : {}) };
  return { rule, severity: 'error', message, pointer: '/', ...place, names: [], also: [] };
};

/** Redocly says only which type it expected of a bound that is written as in OpenAPI 3.1. */
const explainNumericBound = (finding) => {
  const [, key, bound] = /\/(exclusive(M(?:in|ax)imum))$/.exec(finding.pointer) ?? [];
  if (finding.rule !== 'struct' || key === undefined) return finding;
  const message = `${key} is a number only from OpenAPI 3.1 on: write it as ${bound.toLowerCase()}, and ${key}: true.`;
  return { ...finding, rule: 'contract/exclusive-bounds', message };
};

/**
 * One finding for each cause: others that speak of the same thing are places where it shows too. A component that
 * nothing uses is told where nothing else is wrong: mostly what should use it is. To an invalid pattern or
 * bound no example can be held.
 */
export const groupByCause = (findings) => {
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  const hasFound = (name) => findings.some(({ rule }) => rule === name);
  const invalid = [
    ...(hasFound('contract/patterns') ? ['Invalid regular expression'] : []),
    ...(hasFound('contract/exclusive-bounds') ? ['errored: exclusiveM'] : []),
  ];
  const isConsequence = ({ rule, message }) =>
    (rule === 'no-unused-components' && hasErrors) ||
    (rule.startsWith('no-invalid-') && invalid.some((text) => message.includes(text)));
  const causes = [];
  for (const finding of findings.filter((one) => !isConsequence(one))) {
    const { file, line, column, also = [] } = finding;
    const names = namesIn(finding.message);
    const cause = causes.find((one) => names.some((name) => one.names.includes(name)));
    if (cause) cause.also.push({ file, line, column }, ...also);
    else causes.push({ ...finding, names, also: [...also] });
  }
  return causes;
};

/** What a message speaks of: the first thing in quotes but for keywords of OpenAPI, and an extension key. */
const namesIn = (message) => {
  const quoted = [...message.matchAll(/[`'"]([A-Za-z][\w-]*)[`'"]/g)].map(([, name]) => name);
  const [, key] = /did you mean (x-[\w-]+)|$/.exec(message);
  const [, changed] = /(x-[\w-]+) changed from|$/.exec(message);
  return [quoted.find((name) => !keywords.has(name)), key, changed].filter((name) => name !== undefined);
};

const keywords = new Set(['operationId', 'description', 'summary', 'required', 'schema', 'example', 'type']);
