import type { Provocation, Way } from '../../world.js';
import type { Key } from '../keys.js';
import { exchangeSample, forbiddenToSend, goodSample, isExcuse, type Scene } from '../scene.js';
import { headersOf, limitHeaders } from './headers.js';

/** 2xx: the contract's own example. */
export const successful = (scene: Scene, status: number): Provocation => {
  const { operation, world } = scene;
  const excuse = forbiddenToSend(scene);
  if (excuse) return excuse;
  const key = world.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const sample = goodSample(scene);
  const way = (how: string, used: Key): Way => ({
    how,
    present: limitHeaders(operation, status, used),
    absent: headersOf(operation, status).filter((name) => used.limit === 0 && /^ratelimit-/i.test(name)),
    send: () => exchangeSample(scene, sample, used),
  });
  const unlimited = world.keys.unlimited(operation.scope);
  return {
    ways: [
      way('with the request of the example', key),
      ...(isExcuse(unlimited) ? [] : [way('with a key that has no limit', unlimited)]),
    ],
  };
};

/** 304: the list is still the one whose ETag the client has. */
export const notModified = (scene: Scene): Provocation => {
  const { operation, world } = scene;
  const condition = operation.parameters.find(({ name }) => /^if-none-match$/i.test(name));
  if (!condition) return { unknown: 'the operation has no parameter If-None-Match' };
  const key = world.keys.permitting(operation.scope);
  if (isExcuse(key)) return key;
  const sample = goodSample(scene);
  const matching = (how: string, valueFor: (etag: string) => string): Way => ({
    how,
    present: limitHeaders(operation, 304, key),
    send: async () => {
      const { answer } = await exchangeSample(scene, sample, key);
      const value = valueFor(answer.headers.etag ?? '');
      return exchangeSample(scene, { ...sample, headers: [...sample.headers, [condition.name, value]] }, key);
    },
  });
  return {
    ways: [
      matching('with the ETag of the last answer', (etag) => etag),
      matching('with that ETag among others, as a weak one', (etag) => `"other", W/${etag}`),
    ],
  };
};
