// `npm run lint`: the rules of redocly.yaml for the contracts. Warnings are shown; errors fail.
import './tasks/nodeVersion.mjs';
import { readFileSync } from 'node:fs';
import { formatFinding, lintFinding } from './dev/show.mjs';
import { lintContract } from './lint/lintContract.mjs';
import { root } from './tasks/run.mjs';

for (const contract of ['openapi.yaml', 'web.yaml']) {
  const findings = await lintContract(readFileSync(`${root}${contract}`, 'utf8'), root, contract);
  for (const finding of findings) console.error(formatFinding(lintFinding(contract, finding)));
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
  else console.log(`${contract} follows the rules of redocly.yaml.`);
}
