import type { Exchange } from '../../request.js';
import type { Provocation } from '../../world.js';
import { carriersOf, shown, unknownKey, type Key } from '../keys.js';
import { requestOf, type Sample } from '../sample.js';
import { exchange, exchangeSample, harmlessSample, isExcuse, type Scene } from '../scene.js';
import { headersOf, limitHeaders } from './headers.js';

/** 401: no key, and one that nobody knows, shown in each way that the contract names. */
export const unauthorized = (scene: Scene): Provocation => {
  const sample = harmlessSample(scene);
  if (isExcuse(sample)) return sample;
  const request = requestOf(scene.operation, sample);
  return {
    ways: [
      { how: 'without a key', send: () => exchange(scene, request) },
      ...carriersOf(scene.contract).map((carrier) => ({
        how: `with an unknown key in ${carrier.header}`,
        send: () => exchange(scene, shown(request, carrier, unknownKey())),
      })),
    ],
  };
};

/** 403: a valid key that lacks the scope. */
export const forbidden = (scene: Scene): Provocation => {
  const key = scene.world.keys.lacking(scene.operation.scope);
  if (isExcuse(key)) return key;
  const sample = harmlessSample(scene);
  if (isExcuse(sample)) return sample;
  return {
    ways: [
      {
        how: `with a key of the scope ${key.scope}`,
        present: limitHeaders(scene.operation, 403, key),
        send: () => exchangeSample(scene, sample, key),
      },
    ],
  };
};

/** 429: one request more than a key may make in a minute. */
export const rateLimited = (scene: Scene): Provocation => {
  const keys = scene.world.keys.limited();
  if (isExcuse(keys)) return keys;
  const sample = harmlessSample(scene);
  if (isExcuse(sample)) return sample;
  return {
    ways: [
      {
        how: 'with a key whose limit is used up',
        present: headersOf(scene.operation, 429),
        send: async () => useUp(scene, sample, await keys.any()),
      },
    ],
  };
};

const useUp = async (scene: Scene, sample: Sample, key: Key): Promise<Exchange> => {
  for (let left = key.limit; left > 0; left--) {
    const sent = await exchangeSample(scene, sample, key);
    if (sent.answer.status === 429) return sent;
  }
  return exchangeSample(scene, sample, key);
};
