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
  return problems
    .filter(({ ignored }) => !ignored)
    .map(({ ruleId: rule, severity, message, location: [place] }) => {
      const { start } = getLineColLocation(place);
      const pointer = place.pointer?.replace(/^#/, '') ?? '/';
      return { rule, severity, message, pointer, line: start.line, column: start.col };
    })
    .sort((one, other) => one.line - other.line || one.column - other.column);
};
