import { fileURLToPath } from 'node:url';
import { getLineColLocation, lintFromString, loadConfig } from 'redocly-core';

const configPath = fileURLToPath(new URL('../../redocly.yaml', import.meta.url));
let config;

/**
 * What the rules of redocly.yaml, Redocly's and ours, find in a contract. Redocly takes `#` in a path for the start
 * of a fragment, so it is not told where the contract is.
 */
export const lintContract = async (source) => {
  config ??= loadConfig({ configPath });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.yaml', config: await config });
  const findings = problems
    .filter(({ ignored }) => !ignored)
    .map(({ ruleId: rule, severity, message, location: [place] }) => {
      const { start } = getLineColLocation(place);
      const pointer = place.pointer?.replace(/^#/, '') ?? '/';
      return { rule, severity, message, pointer, line: start.line, column: start.col };
    })
    .sort((one, other) => one.line - other.line || one.column - other.column);
  return groupByCause(findings);
};

const unused = 'no-unused-components';

/**
 * One finding for each cause: others that name the same field are places where it shows too. A component that nothing
 * uses is told where nothing else is wrong: mostly what should use it is.
 */
export const groupByCause = (findings) => {
  const isBroken = findings.some(({ severity }) => severity === 'error');
  const causes = [];
  for (const finding of findings) {
    if (finding.rule === unused && isBroken) continue;
    const names = namesIn(finding.message);
    const cause = causes.find((one) => names.some((name) => one.names.includes(name)));
    if (cause) cause.also.push({ line: finding.line, column: finding.column });
    else causes.push({ finding, names, also: [] });
  }
  return causes.map(({ finding, also }) => ({ ...finding, also }));
};

/** What a message has in quotes, but for the keywords of OpenAPI, which say what and not which. */
const namesIn = (message) =>
  [...message.matchAll(/[`'"]([A-Za-z][\w-]*)[`'"]/g)]
    .map(([, name]) => name)
    .filter((name) => !keywords.has(name));

const keywords = new Set(['operationId', 'description', 'summary', 'required', 'schema', 'example', 'type']);
