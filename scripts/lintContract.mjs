// `npm run lint`: the rules of redocly.yaml for openapi.yaml. Warnings are shown; errors fail.
import './tasks/nodeVersion.mjs';
import { readFileSync } from 'node:fs';
import { formatFinding, lintFinding } from './dev/show.mjs';
import { lintContract } from './lint/lintContract.mjs';
import { root } from './tasks/run.mjs';

const findings = await lintContract(readFileSync(`${root}openapi.yaml`, 'utf8'));
for (const finding of findings) console.error(formatFinding(lintFinding('openapi.yaml', finding)));
const errors = findings.filter(({ severity }) => severity === 'error');
if (errors.length > 0) process.exitCode = 1;
else console.log('openapi.yaml follows the rules of redocly.yaml.');
