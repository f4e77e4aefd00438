import { randomUUID } from 'node:crypto';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import type { FormatName } from '../../../src/webhooks/formats/format.js';
import { enqueueNotifications } from '../../../src/webhooks/notificationTable.js';
import { runActor, type Administration } from '../local/administration.js';
import { closedAddress } from '../local/webData.js';
import type { OperationHints, ScenarioContext } from '../../../tools/contract/src/target/target.js';
import { bodyOf, inPath, scenario, withBody, withNew } from './preparing.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';

/** Adds a webhook that is sent to the run's own target. */
const createWebhook = async (
  { webhooks }: Administration,
  address: string,
  name = `Contract ${randomUUID()}`,
  format: FormatName = 'generic',
): Promise<number> => {
  const { id } = await webhooks.add(
    { name, format, language: 'de', readAddress: async () => address },
    runActor,
  );
  return id;
};

/** The webhooks that the run adds are sent to this address. */
const targetOf = ({ target }: ScenarioContext): string => String(target.substitutions['address']);

const newWebhook: NonNullable<OperationHints['prepare']> = (sample, context) =>
  withNew('webhookId', (administration) => createWebhook(administration, targetOf(context)))(sample, context);

/** Adds a webhook with a delivery, and returns their ids. */
const addDelivery = async (
  administration: Administration,
  address: string,
): Promise<{ webhookId: number; deliveryId: number }> => {
  const { database, tables } = administration;
  const webhookId = await createWebhook(administration, address);
  const now = nodeSystem.now();
  const notification = {
    type: 'voucher.created' as const,
    id: newId(nodeSystem),
    count: 1,
    site: 'Hauptgebäude',
    source: 'API',
    createdAt: now,
  };
  await database.write.transaction((transaction) => enqueueNotifications(transaction, [notification]));
  // The service may have done so already.
  await tables.deliveries.dispatch(now);
  const [delivery] = await tables.deliveries.newest({ webhookId }, 1);
  if (!delivery) throw new Error('the notification was not dispatched');
  return { webhookId, deliveryId: delivery.id };
};

/** Adds a webhook with a delivery that waits after two failed attempts. */
const addFailingWebhook = async (administration: Administration): Promise<number> => {
  const { webhookId, deliveryId } = await addDelivery(administration, closedAddress);
  const at = nodeSystem.now() + 3_600_000;
  for (let attempt = 0; attempt < 2; attempt += 1)
    await administration.tables.outbox.postpone(deliveryId, {
      at,
      triedAt: nodeSystem.now(),
      reason: { code: 'answered', values: { status: 500 } },
      holds: false,
    });
  return webhookId;
};

/** Nothing else has the name of the example. */
const withFreeName: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const webhooks = context.target.fixture?.administration().webhooks;
  const { name } = bodyOf(goodSample(context));
  const known = (await webhooks?.list())?.find((webhook) => webhook.name === name);
  if (known) await webhooks?.remove(known.id, runActor);
  return sample;
};

export const createWebhookHints: OperationHints = {
  changing: ['address'],
  neverShown: {
    fields: /^201 webhook\.(reason|failing)\./,
    because: 'a new webhook was not switched off and has no deliveries',
  },
  refusedWith: ['name-invalid', 'url-invalid', 'address-private'],
  prepare: withFreeName,
  // Addresses are secrets: only their beginning is shown.
  shownAs: { address: () => undefined },
  scenarios: {
    409: scenario('with the name of another webhook', async ({ administration, sample, context }) => {
      const { name } = bodyOf(sample);
      const known = (await administration.webhooks.list()).some((webhook) => webhook.name === name);
      if (!known) await createWebhook(administration, targetOf(context), String(name));
      return sample;
    }),
  },
};

export const updateWebhookHints: OperationHints = {
  refusedWith: ['name-invalid'],
  prepare: async (sample, context) =>
    withNew('webhookId', addFailingWebhook)(await withFreeName(sample, context), context),
  moreScenarios: {
    200: scenario(
      'of a webhook that its target switched off',
      async ({ administration, sample, context }) => {
        const webhookId = await createWebhook(administration, targetOf(context));
        await administration.tables.webhooks.change(webhookId, {
          active: false,
          reason: { code: 'answered', values: { status: 410 } },
        });
        const body = JSON.stringify({ name: `Contract ${randomUUID()}` });
        return { ...inPath(sample, 'webhookId', webhookId), body };
      },
    ),
  },
  scenarios: {
    409: scenario('with the name of another webhook', async ({ administration, sample, context }) => {
      const { webhooks } = administration;
      const other = await webhooks.show(await createWebhook(administration, targetOf(context)));
      const webhookId = await createWebhook(administration, targetOf(context));
      return withBody(inPath(sample, 'webhookId', webhookId), { name: other.name });
    }),
  },
};
export const rotateWebhookSecretHints: OperationHints = {
  prepare: newWebhook,
  scenarios: {
    409: scenario('of a webhook that does not sign', async ({ administration, sample, context }) => {
      const webhookId = await createWebhook(administration, targetOf(context), undefined, 'slack');
      return inPath(sample, 'webhookId', webhookId);
    }),
  },
};
export const deleteWebhookHints: OperationHints = { prepare: newWebhook };
export const testWebhookHints: OperationHints = {
  prepare: newWebhook,
  moreScenarios: {
    200: scenario('to a target that does not answer', async ({ administration, sample }) =>
      inPath(sample, 'webhookId', await createWebhook(administration, closedAddress)),
    ),
  },
};

export const listDeliveriesHints: OperationHints = {
  prepare: (sample, context) =>
    withNew('webhookId', async (administration) => {
      const { webhookId } = await addDelivery(administration, targetOf(context));
      return webhookId;
    })(sample, context),
  moreScenarios: {
    200: scenario('of a target that does not answer', async ({ administration, sample }) => {
      const { webhookId, deliveryId } = await addDelivery(administration, closedAddress);
      const { outbox } = administration.tables;
      await outbox.settle(deliveryId, 'failed', { code: 'refused', values: {} }, nodeSystem.now());
      return inPath(sample, 'webhookId', webhookId);
    }),
  },
};

export const resendDeliveryHints: OperationHints = {
  prepare: (sample, context) =>
    withNew('deliveryId', async (administration) => {
      const { deliveryId } = await addDelivery(administration, targetOf(context));
      return deliveryId;
    })(sample, context),
};
