// `npm run lint`: the rules of redocly.yaml for openapi.yaml. Warnings are shown; errors fail.
import './tasks/nodeVersion.mjs';
import { readFileSync } from 'node:fs';
import { formatFinding } from './dev/show.mjs';
import { lintContract } from './lint/lintContract.mjs';
import { root } from './tasks/run.mjs';

const findings = await lintContract(readFileSync(`${root}openapi.yaml`, 'utf8'));
for (const { severity, message, rule, line, column } of findings) {
  const what = `${severity}: ${message} (${rule})`;
  console.error(formatFinding({ file: 'openapi.yaml', line, column, what }));
}
const errors = findings.filter(({ severity }) => severity === 'error');
if (errors.length > 0) process.exitCode = 1;
else console.log('openapi.yaml follows the rules of redocly.yaml.');
