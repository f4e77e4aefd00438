import { placesOf } from '../../generated/places.js';
import { bodyLimitOf, judge } from '../../generated/oracle/oracle.js';
import { oddValues } from '../../generated/values/odd.js';
import type { Provocation, Way } from '../../world.js';
import type { Key } from '../keys.js';
import { paddedTo, type Sample } from '../sample.js';
import {
  exchangeSample,
  forbiddenToSend,
  goodSample,
  harmlessSample,
  isExcuse,
  type Scene,
} from '../scene.js';
import { limitHeaders } from './headers.js';

/** 400: for every field one value, or its absence, that no lenient rule makes good. */
export const invalid = (scene: Scene): Provocation => {
  const { operation, world } = scene;
  const key = world.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const samples = forbiddenToSend(scene) ? [harmlessSample(scene)] : refusedSamples(scene);
  const [first] = samples;
  if (first && isExcuse(first)) return first;
  const ways = samples.flatMap((sample) => (isExcuse(sample) ? [] : refusedWay(scene, sample, key)));
  return ways.length > 0 ? { ways } : { unknown: 'the contract refuses no value of any field' };
};

/** For each field, and for each text that a client may read, the first value that leads to it. */
const refusedSamples = (scene: Scene): Sample[] => {
  const good = goodSample(scene);
  const found = new Map<string, Sample>();
  for (const { name, schema, in: place, set } of placesOf(scene.operation, scene.world.substitutions)) {
    for (const value of [undefined, ...oddValues(schema, place)]) {
      const sample = set(good, value);
      const verdict = judge(scene.operation, sample);
      if (verdict.kind !== 'refused' || verdict.field !== name) continue;
      const reason = JSON.stringify([name, verdict.texts]);
      if (!found.has(reason)) found.set(reason, sample);
    }
  }
  return [...found.values()];
};

const refusedWay = (scene: Scene, sample: Sample, key: Key): Way[] => {
  const verdict = judge(scene.operation, sample);
  if (verdict.kind !== 'refused') return [];
  return [
    {
      how: `with a wrong ${verdict.field}${verdict.texts ? ` ("${verdict.texts.join('" or "')}")` : ''}`,
      present: limitHeaders(scene.operation, 400, key),
      ...(verdict.texts && { messages: verdict.texts }),
      send: () => exchangeSample(scene, sample, key),
    },
  ];
};

/** 413: one byte more than allowed. */
export const tooLarge = (scene: Scene): Provocation => {
  const { operation, world } = scene;
  const limit = bodyLimitOf(operation);
  if (limit === undefined) return { unknown: 'the description of 413 does not say how much is too much' };
  const key = world.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const sample = harmlessSample(scene);
  if (isExcuse(sample)) return sample;
  return {
    ways: [
      {
        how: `with a body of ${limit + 1} bytes`,
        present: limitHeaders(operation, 413, key),
        send: () => exchangeSample(scene, { ...sample, body: paddedTo(limit + 1, sample.body ?? '') }, key),
      },
    ],
  };
};
