import type { SchemaModel } from '../../document/types.js';
import { canHave, insertionPoints } from '../../generated/insertionPoints.js';
import { judgeSample } from '../../generated/oracle/oracle.js';
import { oddValues } from '../../generated/values/odd.js';
import { isExcuse } from '../excuse.js';
import type { Key } from '../keys.js';
import { paddedTo, type Sample } from '../sample.js';
import {
  exchangeSample,
  forbiddenToSend,
  goodSample,
  harmlessSample,
  type ScenarioContext,
} from '../scenarioContext.js';
import type { Scenario, ScenarioPlan } from '../target.js';
import { limitHeaders } from './headers.js';

/** 400: for every field a value, or its absence, that no lenient rule accepts. */
export const invalidRequest = (context: ScenarioContext): ScenarioPlan => {
  const { operation, target } = context;
  const key = target.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const samples = forbiddenToSend(context) ? [harmlessSample(context)] : refusedSamples(context);
  const [first] = samples;
  if (first && isExcuse(first)) return first;
  const scenarios = samples.flatMap((sample) =>
    isExcuse(sample) ? [] : refusedScenario(context, sample, key),
  );
  return scenarios.length > 0 ? { scenarios } : { unknown: 'the contract refuses no value of any field' };
};

/** For each field and each message, the first value that leads to it. */
const refusedSamples = (context: ScenarioContext): Sample[] => {
  const good = goodSample(context);
  const found = new Map<string, Sample>();
  for (const point of insertionPoints(context.operation, context.target.substitutions)) {
    const { name, schema, in: place, set } = point;
    for (const value of [undefined, ...oddValues(schema, place)].filter((one) => canHave(point, one))) {
      const sample = set(good, value);
      const verdict = judgeSample(context.operation, sample);
      if (verdict.kind !== 'refused' || verdict.field !== name) continue;
      const reason = JSON.stringify([name, verdict.texts]);
      if (!found.has(reason)) found.set(reason, sample);
    }
  }
  return [...found.values()];
};

const refusedScenario = (context: ScenarioContext, sample: Sample, key: Key): Scenario[] => {
  const verdict = judgeSample(context.operation, sample);
  if (verdict.kind !== 'refused') return [];
  return [
    {
      how: `with a wrong ${verdict.field}${verdict.texts ? ` ("${verdict.texts.join('" or "')}")` : ''}`,
      present: limitHeaders(context.operation, 400, key),
      ...(verdict.texts && { messages: verdict.texts }),
      send: () => exchangeSample(context, sample, key),
    },
  ];
};

/** 404: a parameter of the path with a value that nothing has. */
export const missingResource = (context: ScenarioContext): ScenarioPlan => {
  const { operation, target } = context;
  const point = insertionPoints(operation, target.substitutions).findLast(
    ({ in: place }) => place === 'path',
  );
  if (!point) return { unknown: `nobody has written down how ${operation.id} gets to 404` };
  const excuse = forbiddenToSend(context);
  if (excuse) return excuse;
  const key = target.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const good = goodSample(context);
  const sample = unusedValues(point.schema)
    .map((value) => point.set(good, value))
    .find((one) => judgeSample(operation, one).kind !== 'refused');
  if (!sample) return { unknown: `every value of ${point.name} may be one of something` };
  return {
    scenarios: [
      {
        how: `with a ${point.name} that nothing has`,
        present: limitHeaders(operation, 404, key),
        send: () => exchangeSample(context, sample, key),
      },
    ],
  };
};

/** Values that nothing is called by. */
const unusedValues = ({ type, format, maximum = 2_147_483_647, enum: allowed }: SchemaModel): string[] => {
  if (allowed) return [];
  if (type === 'integer' || type === 'number') return [String(maximum), String(maximum - 1)];
  if (format === 'uuid') return ['00000000-0000-4000-8000-000000000000'];
  return ['nothing-has-this', '9999999999', 'zz'];
};

/** 413: one byte more than allowed. */
export const tooLarge = (context: ScenarioContext): ScenarioPlan => {
  const { operation, target } = context;
  const limit = operation.requestBody?.maxBytes;
  if (limit === undefined) return { unknown: 'the contract gives no x-max-bytes' };
  const key = target.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const sample = harmlessSample(context);
  if (isExcuse(sample)) return sample;
  return {
    scenarios: [
      {
        how: `with a body of ${limit + 1} bytes`,
        present: limitHeaders(operation, 413, key),
        send: () => exchangeSample(context, { ...sample, body: paddedTo(limit + 1, sample.body ?? '') }, key),
      },
    ],
  };
};
