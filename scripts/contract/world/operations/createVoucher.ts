import { randomUUID } from 'node:crypto';
import { fieldsOf } from '../../document/json.js';
import type { Input } from '../../generated/oracle/oracle.js';
import type { Exchange } from '../../request.js';
import type { Provocation, Way } from '../../world.js';
import type { Sites } from '../inside.js';
import type { Key } from '../keys.js';
import type { Knowledge } from '../knowledge.js';
import { exchangeSample, forbiddenToSend, goodSample, isExcuse, type Scene } from '../scene.js';
import { headersOf, limitHeaders } from '../ways/headers.js';

/** An order for a site, and a name for the request that may be used again. */
interface Order {
  readonly siteId?: number;
  readonly idempotencyKey?: string;
  readonly name?: string;
}

const ask = (scene: Scene, key: Key, { siteId, idempotencyKey, name }: Order): Promise<Exchange> => {
  const sample = goodSample(scene);
  const body = {
    ...fieldsOf(JSON.parse(sample.body ?? '{}')),
    ...(siteId !== undefined && { site_id: siteId }),
    ...(name !== undefined && { name }),
  };
  const named = idempotencyKey === undefined ? [] : [['Idempotency-Key', idempotencyKey] as const];
  const headers = [...sample.headers, ...named];
  return exchangeSample(scene, { ...sample, headers, body: JSON.stringify(body) }, key);
};

/** A way that sends complete orders with a key that may. */
const ordering = (
  scene: Scene,
  status: number,
  how: string,
  send: (key: Key) => Promise<Exchange>,
  present: readonly string[] = [],
): Provocation => {
  const excuse = forbiddenToSend(scene);
  if (excuse) return excuse;
  const key = scene.world.keys.permitting(scene.operation.scope);
  if (isExcuse(key)) return key;
  const way: Way = {
    how,
    present: [...limitHeaders(scene.operation, status, key), ...present],
    send: () => send(key),
  };
  return { ways: [way] };
};

/** A way that needs a site whose controller behaves in a certain way. */
const onSite = (scene: Scene, status: number, how: string, choose: (sites: Sites) => number): Provocation => {
  const { inside } = scene.world;
  if (!inside) return { excuse: `${status} needs a site ${how.replace(/^on a site /, '')}` };
  return ordering(scene, status, how, (key) => ask(scene, key, { siteId: choose(inside.sites) }));
};

/** An id that no site has: ids count from 1. */
const noSite = 2_147_483_647;

export const createVoucher: Knowledge = {
  ways: {
    404: (scene) => {
      const missing = ordering(scene, 404, 'for a site that does not exist', (key) =>
        ask(scene, key, { siteId: noSite }),
      );
      const inactive = onSite(scene, 404, 'on a site that is not active', ({ inactive: id }) => id);
      return 'ways' in missing && 'ways' in inactive
        ? { ways: [...missing.ways, ...inactive.ways] }
        : missing;
    },
    409: (scene) => {
      const { inside } = scene.world;
      if (!inside) return { excuse: '409 needs a site whose controller does not answer' };
      const idempotencyKey = randomUUID();
      const siteId = inside.sites.lost;
      const send = async (key: Key): Promise<Exchange> => {
        await ask(scene, key, { siteId, idempotencyKey });
        return ask(scene, key, { siteId, idempotencyKey });
      };
      const how = 'while the outcome of the first request with the Idempotency-Key is unknown';
      return ordering(scene, 409, how, send, headersOf(scene.operation, 409));
    },
    422: (scene) =>
      ordering(scene, 422, 'with an Idempotency-Key that was used with another body', async (key) => {
        const idempotencyKey = randomUUID();
        await ask(scene, key, { idempotencyKey });
        return ask(scene, key, { idempotencyKey, name: 'Familie Huber' });
      }),
    500: (scene) => onSite(scene, 500, 'on a site whose controller refuses', ({ refusing }) => refusing),
    502: (scene) =>
      onSite(scene, 502, 'on a site whose controller returns no voucher', (sites) => sites.withoutVoucher),
  },
  moreWays: {
    201: (scene) =>
      ordering(
        scene,
        201,
        'with the Idempotency-Key of an earlier request',
        async (key) => {
          const idempotencyKey = randomUUID();
          await ask(scene, key, { idempotencyKey });
          return ask(scene, key, { idempotencyKey });
        },
        ['Idempotency-Replayed'],
      ),
  },
  outcomes: (input, { world: { inside } }) => {
    if (!inside) return undefined;
    const { healthy, refusing, withoutVoucher, lost } = inside.sites;
    const siteId = orderOf(input)['site_id'];
    // A key that was used before may stand for another order.
    const repeated = input.headers['Idempotency-Key'] === undefined ? [] : [409, 422];
    if (healthy.some((id) => id === siteId)) return [201, ...repeated];
    if (siteId === refusing || siteId === lost) return [500, ...repeated];
    return siteId === withoutVoucher ? [502, ...repeated] : [404, ...repeated];
  },
  effects: async (input, { status, body }, { world: { inside } }) => {
    if (!inside || status !== 201) return undefined;
    const found = await inside.madeVoucher(String(fieldsOf(body)['code']));
    const { name, max_uses, expire_minutes, qos } = orderOf(input);
    return {
      wanted: { name, max_uses, expire_minutes, qos },
      found: found && {
        // Behind the date of creation.
        name: found.name.replace(/^\d{4}-\d\d-\d\d_/, ''),
        max_uses: found.maxUses,
        expire_minutes: found.expireMinutes,
        qos: { down: found.down, up: found.up, quota_mb: found.quotaMb },
      },
    };
  },
};

const orderOf = (input: Input): Record<string, unknown> => fieldsOf(input.body);
