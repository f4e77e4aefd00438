import type { Provocation } from '../../world.js';
import { withKey } from '../keys.js';
import { requestOf } from '../sample.js';
import { goodSample, type Scene } from '../scene.js';

/** 503: the same request to a service that has as much to do as it takes. */
export const unavailable = (scene: Scene): Provocation => {
  const { contract, operation, world } = scene;
  const { inside } = world;
  if (!inside) return { excuse: '503 needs a service that has too much to do' };
  return {
    ways: [
      {
        how: 'while as many requests are in flight as it takes',
        present: ['Retry-After'],
        send: async () => {
          const { client, key } = await inside.busy();
          const request = withKey(contract, requestOf(operation, goodSample(scene)), key);
          return { request, answer: await client.send(request) };
        },
      },
    ],
  };
};
