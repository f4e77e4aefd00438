import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { askOther, fieldFaults, followedScenario, sendAsIs } from './preparing.js';

/** So many of the newest are looked for on the pages. */
const newest = 1_000;

export const listAuditHints: OperationHints = {
  // Only the service knows which positions there are.
  refusedWith: ['cursor-invalid', 'time-invalid'],
  list: {
    allIds: async ({ target: { fixture } }) =>
      (await fixture
        ?.administration()
        .database.read('audit_log')
        .orderByRaw('at desc, id desc')
        .limit(newest)
        .pluck<number[]>('id')) ?? [],
  },
  moreScenarios: {
    200: followedScenario(
      'after a key was created',
      async ({ sample, key, context }) => {
        const forwarded = ['X-Forwarded-For', address] as const;
        await askOther(context, 'createKey', key, (given) => ({
          ...given,
          headers: [...given.headers, forwarded],
        }));
        return sendAsIs(context, sample, key);
      },
      async ({ key, context }, { answer }) => {
        const { name } = (await askOther(context, 'getSession', key)) ?? {};
        if (!context.contract.operations.some(({ id }) => id === 'createKey')) return [];
        const entry = jsonList(jsonFields(answer.body)['entries'])
          .map(jsonFields)
          .find(({ action }) => action === 'key.create');
        return fieldFaults('the entry of a new key', entry ?? {}, {
          ...{ actorKind: 'user', subjectKind: 'key', address, count: 1 },
          ...(name !== undefined && { actorName: name }),
        });
      },
    ),
  },
};

/** For documentation (RFC 3849). */
const address = '2001:db8::17';
