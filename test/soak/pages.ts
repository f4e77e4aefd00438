// Is everything in the contract of the pages tried, or has a known reason why not.
import { readFileSync } from 'node:fs';
import { conformance } from '../../tools/contract/src/conformance/conformance.js';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { examples } from '../../tools/contract/src/examples/examples.js';
import { generated } from '../../tools/contract/src/generated/generated.js';
import { readRunOptions } from '../../tools/contract/src/options.js';
import { runStages } from '../../tools/contract/src/run/run.js';
import { makeLocalTarget } from '../scenarios/local/localTarget.js';
import { servedContracts } from '../scenarios/servedContracts.js';

/** Why a run leaves something out. There is no other reason. */
const knownReasons = [
  'a service of the run has a mail server',
  'single sign-on is off in a run, and nothing of it fails then',
  'a new key has not been used',
  'a new controller has no sites, and was not called yet',
  'a new webhook was not switched off and has no deliveries',
  'a list of orders is without vouchers',
  'a new e-mail was not tried yet',
  'a new SMS was not tried yet',
  'the puzzle is checked before the database is asked',
  'the environment of a run sets no provider',
  'the example site has no network and asks for no paper',
];

const served = servedContracts.find(({ name }) => name === 'pages');
if (!served) throw new Error('the run does not know the contract of the pages');
const contract = parseContractModel(readFileSync(served.file, 'utf8'), served.file);
const local = await makeLocalTarget(served, contract);
// One value of each field shows that it is tried; `npm run contract` tries all of them.
const one = contract.operations.map(({ id }) => [id, { ...local.hints[id], maxSamples: 1 }]);
const target = { ...local, hints: Object.fromEntries(one) };
const wrong: string[] = [];
try {
  const { stages, coverage } = await runStages({
    ...{ served, contract, stages: [examples, conformance, generated], now: Date.now },
    options: readRunOptions(['--seed', '1', '--runs', '1'], { served: servedContracts, env: {} }),
    target: () => Promise.resolve(target),
    listener: {
      started: ({ name }) => console.error(name),
      progress: () => undefined,
      ended: () => undefined,
    },
  });
  for (const { name, outcome, problem } of stages.flatMap(({ cases }) => cases))
    if (outcome === 'failed') wrong.push(`${name}: ${problem?.what ?? ''}`);
  for (const { operationId, name, state } of coverage.cells)
    if (state === 'untested') wrong.push(`${operationId} ${name} is not tried`);
  for (const reason of coverage.reasons)
    if (!knownReasons.includes(reason)) wrong.push(`new reason: ${reason}`);
  for (const reason of knownReasons)
    if (!coverage.reasons.includes(reason)) wrong.push(`no longer: ${reason}`);
} finally {
  await target.close();
}
console.log(wrong.length === 0 ? 'everything is tried, or has a known reason why not' : wrong.join('\n'));
process.exitCode = wrong.length === 0 ? 0 : 1;
