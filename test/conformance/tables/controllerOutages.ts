import { beforeEach, expect, test } from '@jest/globals';
import type { Failure } from '../../../src/controllers/failure.js';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import { makeTables } from '../../../src/app/tables.js';
import { outageReportedAfterMs } from '../../../src/webhooks/controllerOutageTable.js';
import type { Notification } from '../../../src/webhooks/notificationTable.js';
import { openPatiently } from '../../support/databases.js';
import { addSite, someTime } from '../../support/records.js';
import { makeOutbox, someWebhook } from './outbox.js';
import type { Shared } from './sharedDatabase.js';

const failure: Failure = { kind: 'timeout', seconds: 10 };
const told = { kind: 'timeout' };
const minuteMs = 60_000;

const at = (createdAt: number) => ({ id: newId(nodeSystem), createdAt });

export const controllerOutageConformance = (shared: () => Shared): void => {
  const outbox = makeOutbox(shared);
  let controller: { id: number; name: string };
  beforeEach(async () => {
    await outbox.empty();
    await shared().database.write('controller_outages').delete();
    const { controllerId } = await addSite(shared().tables);
    const found = (await shared().tables.controllers.all()).find(({ id }) => id === controllerId);
    controller = { id: controllerId, name: found?.name ?? '' };
  });
  const outages = () => shared().tables.controllerOutages;
  const addWebhook = (values: Parameters<typeof someWebhook>[0] = {}) =>
    shared().tables.webhooks.add(someWebhook({ reportsControllers: true, ...values }));
  const toldTo = async (webhookId: number): Promise<Notification[]> => {
    await outbox.table().dispatch(someTime);
    return (await outbox.of(webhookId)).map(({ notification }) => notification);
  };
  const beUnreachable = async (...minutes: readonly number[]): Promise<void> => {
    for (const minute of minutes)
      await outages().noteUnreachable(controller, failure, at(someTime + minute * minuteMs));
  };

  test('an outage of three minutes is told once, and once more when it is over', async () => {
    expect(outageReportedAfterMs).toBe(3 * minuteMs);
    const webhookId = await addWebhook();
    await beUnreachable(0, 1, 2.9);
    expect(await toldTo(webhookId)).toEqual([]);
    await beUnreachable(3, 4, 60);
    const unreachable = {
      ...{ type: 'controller.unreachable', id: expect.any(String), createdAt: someTime + 3 * minuteMs },
      ...{ controller: controller.name, sites: ['Hauptgebäude'], failure: told },
    };
    expect(await toldTo(webhookId)).toEqual([unreachable]);
    for (const minute of [61, 62])
      await outages().noteReachable(controller, at(someTime + minute * minuteMs));
    expect(await toldTo(webhookId)).toEqual([
      unreachable,
      {
        ...unreachable,
        ...{ type: 'controller.reachable', createdAt: someTime + 61 * minuteMs, failure: null },
      },
    ]);
  });

  test('a short outage is not told, and the next one counts from its own beginning', async () => {
    const webhookId = await addWebhook();
    await beUnreachable(0, 2);
    await outages().noteReachable(controller, at(someTime + 2.5 * minuteMs));
    await beUnreachable(4, 6);
    expect(await toldTo(webhookId)).toEqual([]);
    await beUnreachable(7);
    expect(await toldTo(webhookId)).toHaveLength(1);
  });

  test('two processes that see it at the same time tell it once', async () => {
    const webhookId = await addWebhook();
    const second = openPatiently(shared().url);
    try {
      const others = makeTables(second).controllerOutages;
      for (const minute of [0, 3])
        await Promise.all(
          [outages(), others, outages(), others].map((table) =>
            table.noteUnreachable(controller, failure, at(someTime + minute * minuteMs)),
          ),
        );
      await Promise.all(
        [outages(), others].map((table) => table.noteReachable(controller, at(someTime + 4 * minuteMs))),
      );
    } finally {
      await second.close();
    }
    expect((await toldTo(webhookId)).map(({ type }) => type)).toEqual([
      'controller.unreachable',
      'controller.reachable',
    ]);
  });

  test('only webhooks that asked for it are told, and the format of the PHP tool knows no recovery', async () => {
    const [wanting, other, phpTool, off] = [
      await addWebhook(),
      await addWebhook({ reportsControllers: false }),
      await addWebhook({ format: 'php-tool' }),
      await addWebhook(),
    ];
    await shared().tables.webhooks.change(off, { active: false });
    await outbox.notify(1);
    await beUnreachable(0, 3);
    await outages().noteReachable(controller, at(someTime + 4 * minuteMs));
    const types = async (id: number) => (await toldTo(id)).map(({ type }) => type);
    const [created, down, up] = ['voucher.created', 'controller.unreachable', 'controller.reachable'];
    expect(await types(wanting)).toEqual([created, down, up]);
    expect(await types(other)).toEqual([created]);
    expect(await types(phpTool)).toEqual([created, down]);
    expect(await types(off)).toEqual([]);
  });

  test('what nobody wants to know never waits in the outbox', async () => {
    await addWebhook({ reportsControllers: false });
    await beUnreachable(0, 3);
    expect(await outbox.table().countUndispatched()).toBe(0);
    expect(await shared().database.read('notifications')).toHaveLength(1);
  });

  test('an outage that began in the future, by a clock that was set back, is told', async () => {
    const webhookId = await addWebhook();
    await beUnreachable(600, 0);
    expect(await toldTo(webhookId)).toHaveLength(1);
  });
};
