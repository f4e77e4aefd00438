import fc from 'fast-check';
import type { ContractModel } from '../contract.js';
import { takesFields } from '../document/operations.js';
import { runSteps, type Recorder, type Stage } from '../stage.js';
import { BudgetSpent } from '../target/budget.js';
import { isExcuse, type Excuse } from '../target/keys.js';
import { hintsOf, permittedKey } from '../target/scenarioContext.js';
import type { Target } from '../target/target.js';
import { resourcesOf, type Resource } from './resources.js';
import {
  bodiesFor,
  idMark,
  NotCreated,
  runSequence,
  SequenceFault,
  type BodyFields,
  type SequenceInput,
  type SequenceLog,
} from './sequence.js';

/** How many things of each kind are made with any fields. */
const anySequences = 8;

/** With which fields further ones are made and changed: what a change does not name must not get lost, and null counts. */
const lastSequences: readonly (readonly [created: BodyFields, changed: BodyFields])[] = [
  ['all', 'fewest'],
  ['all', 'null'],
  ['all', 'all'],
];

const sequencesEach = anySequences + lastSequences.length;

/** A thing at most: made, read, listed, changed twice with looks, removed and looked for. */
const requestsEach = 12;

/** Makes things, and looks whether they are what they were made as, until they are gone. */
export const sequences: Stage = {
  name: 'sequences',
  title: 'what was created is read, listed, changed and removed as such',
  run: async ({ contract, options, recorder, target: getTarget }) => {
    const resources = resourcesOf(contract);
    if (resources.length === 0) {
      recorder.skipped(
        { name: 'what was created is found again' },
        'the contract has nothing that is created, and then found by its id',
      );
      return;
    }
    const target = await getTarget();
    await runSteps(
      resources.map((resource) => ({
        name: caseName(resource),
        operationId: resource.create.id,
        run: () => checkResource(contract, target, resource, recorder, options.seed),
      })),
      recorder,
    );
  },
  estimate: (contract, target) => {
    const tried = resourcesOf(contract).filter(
      (resource) => excuseFor(contract, target, resource) === undefined,
    );
    const requests = tried.length * sequencesEach * requestsEach;
    return { requests, vouchers: tried.length * sequencesEach };
  },
};

const caseName = ({ path }: Resource): string =>
  `${path}: what is created is found as such until it is removed`;

const excuseFor = (contract: ContractModel, target: Target, { create }: Resource): Excuse | undefined => {
  const context = { contract, operation: create, target };
  const key = permittedKey(context);
  const { noSequence } = hintsOf(context);
  if (noSequence !== undefined) return { excuse: noSequence };
  if (isExcuse(key)) return key;
  return create.requestBody && !takesFields(create.requestBody)
    ? { excuse: `${create.id} takes a body without fields` }
    : undefined;
};

const checkResource = async (
  contract: ContractModel,
  target: Target,
  resource: Resource,
  recorder: Recorder,
  seed: number,
): Promise<void> => {
  const tried = { name: caseName(resource), operationId: resource.create.id };
  const excuse = excuseFor(contract, target, resource);
  if (excuse) {
    recorder.skipped(tried, excuse.excuse);
    return;
  }
  let [made, refusal] = [0, ''];
  let failing: { readonly fault: SequenceFault; readonly log: SequenceLog } | undefined;
  const run = async (input: SequenceInput): Promise<void> => {
    const log: SequenceLog = { requests: [] };
    try {
      await runSequence(contract, target, resource, input, log);
      made += 1;
    } catch (error) {
      if (error instanceof NotCreated) {
        refusal = error.message;
        return;
      }
      // The last one that fails is the smallest.
      if (error instanceof SequenceFault) failing = { fault: error, log };
      throw error;
    }
  };
  const check = (
    runs: number,
    created?: BodyFields,
    changed?: BodyFields,
  ): Promise<fc.RunDetails<[SequenceInput]>> =>
    fc.check(fc.asyncProperty(inputsFor(contract, target, resource, created, changed), run), {
      seed,
      numRuns: runs,
    });
  let { failed, errorInstance } = await check(anySequences);
  for (const fields of lastSequences) if (!failed) ({ failed, errorInstance } = await check(1, ...fields));
  if (errorInstance instanceof BudgetSpent && !failing) throw errorInstance;
  if (failing) {
    const { fault, log } = failing;
    recorder.failed(tried, {
      what: fault.fault.text,
      cause: fault.fault.cause,
      at: contract.at(resource.create.location),
      curl: curlLines(target, log),
      seed,
    });
  } else if (failed) throw errorInstance;
  else if (made === 0) recorder.skipped(tried, refusal);
  else recorder.passed(tried);
};

const allSteps = ['read', 'list', 'change', 'remove'] as const;

/** 1, which shrinks to 0. */
const always = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 1e9, arbitrary: fc.constant(1) },
);

const inputsFor = (
  contract: ContractModel,
  target: Target,
  { create, changes }: Resource,
  created?: BodyFields,
  changed?: BodyFields,
): fc.Arbitrary<SequenceInput> => {
  const bodies = (
    operation: Resource['create'],
    fields?: BodyFields,
  ): fc.Arbitrary<SequenceInput['created']> => bodiesFor(contract, target, operation, fields);
  return fc.record({
    created: bodies(create, created),
    changed: fc.tuple(...changes.map((operation) => bodies(operation, changed))),
    // Mostly all of them: fewer are what a failing sequence shrinks to.
    steps: fc
      .tuple(...allSteps.map(() => (created ? always : fc.nat(15))))
      .map((chances) => allSteps.filter((_, index) => chances[index] !== 0)),
  });
};

/** The requests of a sequence as commands that repeat it: the first keeps the new id in a variable. */
const curlLines = (target: Target, { requests, pointer, id = '' }: SequenceLog): string =>
  requests
    .map((request, index) => {
      const line = target.curl(request);
      if (pointer === undefined) return line.replaceAll(idMark, id);
      if (index === 0) return `ID=$(${line.replace('curl -sS -i', 'curl -sS')} | jq -r '${pointer}')`;
      return line.replaceAll(idMark, `'"$ID"'`);
    })
    .join('\n');
