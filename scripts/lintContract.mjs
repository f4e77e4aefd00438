// `npm run lint`: holds the contracts, or those that are named, to the rules of redocly.yaml. Warnings are
// shown; errors fail. With `--changes`, as in development, so do changes that break clients of the last release.
import './tasks/nodeVersion.mjs';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatFinding } from './dev/show.mjs';
import { groupByCause, lintContract } from './lint/lintContract.mjs';
import { importSource } from './tasks/importSource.mjs';
import { root } from './tasks/run.mjs';

const { values, positionals } = parseArgs({
  options: { changes: { type: 'boolean' } },
  allowPositionals: true,
});
const { findBreaking } = values.changes ? await importSource('tools/contract/src/breaking/breaking.ts') : {};

const contracts = positionals.length > 0 ? positionals : ['openapi.yaml', 'web.yaml'];

for (const contract of contracts) {
  const source = readFileSync(`${root}${contract}`, 'utf8');
  const found = await lintContract(source, root, contract);
  // A misspelt key explains a change, and a change what lint finds.
  const isMisspelt = ({ rule }) => rule === 'contract/known-extensions';
  const findings = groupByCause([
    ...found.filter(isMisspelt),
    ...((await findBreaking?.(source, `${root}${contract}`)) ?? []),
    ...found.filter((finding) => !isMisspelt(finding)),
  ]);
  for (const { file = contract, severity, message, rule, line, column, also } of findings) {
    const places = also.map((place) => [place.file, place.line, place.column].filter(Boolean).join(':'));
    const others = places.length > 0 ? `; also at ${places.join(', ')}` : '';
    console.error(formatFinding({ file, line, column, what: `${severity}: ${message} (${rule})${others}` }));
  }
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
  else console.log(`${contract} follows the rules of redocly.yaml.`);
}
