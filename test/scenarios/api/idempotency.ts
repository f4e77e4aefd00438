import { randomUUID } from 'node:crypto';
import { isSameJson, jsonFields } from '../../../tools/contract/src/json.js';
import type { HttpAnswer, HttpExchange } from '../../../tools/contract/src/request.js';
import { type Key, isExcuse } from '../../../tools/contract/src/target/keys.js';
import { goodSample, permittedKey } from '../../../tools/contract/src/target/scenarioContext.js';
import type {
  Expectation,
  Fixture,
  FixtureSites,
  Scenario,
  ScenarioContext,
  ScenarioPlan,
} from '../../../tools/contract/src/target/target.js';
import { ask, ordering } from './ordering.js';

const replayed = 'Idempotency-Replayed';

/** Two orders of which the second is looked at: is it the first once more, or another one? */
interface Repetition {
  readonly how: string;
  readonly isSame: boolean;
  send(key: Key, idempotencyKey: string, fixture: Fixture): Promise<readonly [HttpExchange, HttpExchange]>;
}

/** What a pair of answers must be. */
const expectationFor = (isSame: boolean, first: () => HttpAnswer | undefined): Expectation => ({
  ...(isSame ? { present: [replayed] } : { absent: [replayed] }),
  also: (answer) => {
    const [before, after] = [first()?.body, answer.body];
    if (isSame)
      return isSameJson(before, after)
        ? []
        : [`the repeated answer is ${answer.text} and not the first one, ${first()?.text ?? ''}`];
    const isOther = jsonFields(before)['code'] !== jsonFields(after)['code'];
    return isOther ? [] : ['another order has got the voucher of the first one'];
  },
});

const age = async (fixture: Fixture, idempotencyKey: string, hours: number): Promise<void> => {
  const { write } = fixture.administration().database;
  await write('idempotency_keys')
    .where({ idempotency_key: idempotencyKey })
    .decrement('created_at', hours * 3_600_000);
};

/** All that an order without a voucher may come to: the key is free again after each. */
const withoutVoucher: readonly (readonly [what: string, siteOf: (sites: FixtureSites) => number])[] = [
  ['that failed', ({ refusing }) => refusing],
  ['that gave no voucher', ({ withoutVoucher: site }) => site],
  ['that gave a voucher without a code', ({ withoutCode }) => withoutCode],
  ['for a site that is not active', ({ inactive }) => inactive],
];

/** Repetitions by the sentences about `Idempotency-Key`. */
const repetitionsOf = (context: ScenarioContext): Repetition[] => {
  const twice =
    (change: (idempotencyKey: string) => Parameters<typeof ask>[2]) =>
    async (key: Key, idempotencyKey: string) =>
      [
        await ask(context, key, { idempotencyKey }),
        await ask(context, key, { idempotencyKey, ...change(idempotencyKey) }),
      ] as const;
  const afterHours = (hours: number) => async (key: Key, idempotencyKey: string, fixture: Fixture) => {
    const first = await ask(context, key, { idempotencyKey });
    await age(fixture, idempotencyKey, hours);
    return [first, await ask(context, key, { idempotencyKey })] as const;
  };
  return [
    { how: 'with the Idempotency-Key of an earlier request', isSame: true, send: twice(() => ({})) },
    {
      how: 'with the Idempotency-Key of an earlier request, and its fields in another order',
      isSame: true,
      send: twice(() => ({ isReversed: true })),
    },
    {
      how: 'with an Idempotency-Key whose last of 255 characters differs',
      isSame: false,
      send: async (key, idempotencyKey) => {
        const long = idempotencyKey.padEnd(254, 'x');
        return [
          await ask(context, key, { idempotencyKey: `${long}1` }),
          await ask(context, key, { idempotencyKey: `${long}2` }),
        ];
      },
    },
    {
      how: 'with the Idempotency-Key of an earlier request in capitals',
      isSame: false,
      send: async (key, idempotencyKey) => [
        await ask(context, key, { idempotencyKey: `a${idempotencyKey}` }),
        await ask(context, key, { idempotencyKey: `A${idempotencyKey}`.toUpperCase() }),
      ],
    },
    ...withoutVoucher.map(([what, siteOf]) => ({
      how: `with the Idempotency-Key of an order ${what}`,
      isSame: false,
      send: async (key: Key, idempotencyKey: string, { sites }: Fixture) =>
        [
          await ask(context, key, { idempotencyKey, siteId: siteOf(sites) }),
          await ask(context, key, { idempotencyKey }),
        ] as const,
    })),
    { how: 'with an Idempotency-Key of 23 hours ago', isSame: true, send: afterHours(23) },
    { how: 'with an Idempotency-Key of 25 hours ago', isSame: false, send: afterHours(25) },
  ];
};

/** 201: orders with an `Idempotency-Key` that was used before. */
export const idempotentOrders = (context: ScenarioContext): ScenarioPlan => {
  const { fixture } = context.target;
  // Those of a service that somebody else runs: only what two requests can show.
  const repetitions = repetitionsOf(context).slice(0, fixture ? undefined : 1);
  const made = repetitions.map(({ how, isSame, send }): ScenarioPlan => {
    let first: HttpAnswer | undefined;
    return ordering(
      context,
      201,
      how,
      async (key) => {
        const [earlier, later] = await send(key, randomUUID(), fixture as Fixture);
        first = earlier.answer;
        return later;
      },
      expectationFor(isSame, () => first),
    );
  });
  const [excused] = made.filter((plan) => !('scenarios' in plan));
  if (excused) return excused;
  const scenarios = made.flatMap((plan) => ('scenarios' in plan ? plan.scenarios : []));
  return { scenarios: [...scenarios, ...withOtherApiKey(context)] };
};

const withOtherApiKey = (context: ScenarioContext): Scenario[] => {
  const other = context.target.keys.unlimited(context.operation.scope);
  if (!context.target.fixture || isExcuse(other)) return [];
  return [
    {
      how: 'with the Idempotency-Key of a request with another API key',
      absent: [replayed],
      send: async () => {
        const idempotencyKey = randomUUID();
        const key = permittedKey(context);
        if (!isExcuse(key)) await ask(context, key, { idempotencyKey });
        return ask(context, other, { idempotencyKey });
      },
    },
  ];
};

/** 422: the same `Idempotency-Key` with another value of each field in turn. */
export const idempotencyMismatches = (context: ScenarioContext): ScenarioPlan => {
  const { budget, fixture } = context.target;
  const { qos } = jsonFields(JSON.parse(goodSample(context).body ?? '{}'));
  const changes: Record<string, unknown>[] = [
    { name: `${budget.mark ?? 'Familie'} Huber` },
    { max_uses: 7 },
    { expire_minutes: 77 },
    ...['down', 'up', 'quota_mb'].map((name) => ({ qos: { ...jsonFields(qos), [name]: 777 } })),
    ...(fixture ? [{ site_id: fixture.sites.healthy[1] }] : []),
  ];
  const made = (fixture ? changes : changes.slice(0, 1)).map((fields) =>
    ordering(
      context,
      422,
      `with an Idempotency-Key that was used with another ${Object.keys(fields).join()}: ${JSON.stringify(fields)}`,
      async (key) => {
        const idempotencyKey = randomUUID();
        await ask(context, key, { idempotencyKey });
        return ask(context, key, { idempotencyKey, fields });
      },
    ),
  );
  const scenarios = made.flatMap((plan) => ('scenarios' in plan ? plan.scenarios : []));
  return scenarios.length > 0 ? { scenarios } : (made[0] ?? { unknown: 'there is no field' });
};
