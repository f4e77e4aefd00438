import type { Provocation } from '../../world.js';
import { withKey } from '../keys.js';
import { requestOf } from '../sample.js';
import { goodSample, type Scene } from '../scene.js';
import { limitHeaders } from './headers.js';

/** 500: the same request to a service whose database can't be read. */
export const serverError = (scene: Scene): Provocation => {
  const { contract, operation, world } = scene;
  const { inside } = world;
  if (!inside) return { excuse: '500 needs a service whose database fails' };
  return {
    ways: [
      {
        how: 'while the database can not be read',
        // The key of that service has a limit too.
        present: limitHeaders(operation, 500, { text: () => '', scope: '', limit: 1 }),
        send: async () => {
          const { client, key } = await inside.broken();
          const request = withKey(contract, requestOf(operation, goodSample(scene)), key);
          return { request, answer: await client.send(request) };
        },
      },
    ],
  };
};
