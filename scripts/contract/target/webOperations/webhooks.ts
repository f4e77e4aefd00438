import { randomUUID } from 'node:crypto';
import { newId, nodeSystem } from '../../../../src/lib/system.js';
import { enqueueNotifications } from '../../../../src/storage/deliveries.js';
import { runActor, type Administration } from '../local/administration.js';
import type { OperationHints, ScenarioContext } from '../target.js';
import { bodyOf, scenario, withNew } from './preparing.js';
import { goodSample } from '../scenarioContext.js';

/** Adds a webhook that is sent to the run's own target. */
const addWebhook = async (
  { webhooks }: Administration,
  address: string,
  name = `Contract ${randomUUID()}`,
): Promise<number> => {
  const { id } = await webhooks.add(
    { name, format: 'generic', language: 'de', readAddress: async () => address },
    runActor,
  );
  return id;
};

/** The webhooks that the run adds are sent to this address. */
const targetOf = ({ target }: ScenarioContext): string => String(target.substitutions['address']);

const newWebhook: NonNullable<OperationHints['prepare']> = (sample, context) =>
  withNew('webhookId', (administration) => addWebhook(administration, targetOf(context)))(sample, context);

/** Adds a webhook with a delivery, and returns their ids. */
const addDelivery = async (
  administration: Administration,
  address: string,
): Promise<{ webhookId: number; deliveryId: number }> => {
  const { database, storage } = administration;
  const webhookId = await addWebhook(administration, address);
  const now = nodeSystem.now();
  const notification = {
    id: newId(nodeSystem),
    count: 1,
    site: 'Hauptgebäude',
    source: 'API',
    createdAt: now,
  };
  await database.write.transaction((transaction) => enqueueNotifications(transaction, [notification]));
  // The service may have done so already.
  await storage.deliveries.dispatch(now);
  const [delivery] = await storage.deliveries.newest({ webhookId }, 1);
  if (!delivery) throw new Error('the notification was not dispatched');
  return { webhookId, deliveryId: delivery.id };
};

export const addWebhookHints: OperationHints = {
  refusedWith: ['name-invalid', 'url-invalid', 'address-private'],
  prepare: async (sample, context) => {
    const { fixture } = context.target;
    const webhooks = fixture?.administration().webhooks;
    const { name } = bodyOf(goodSample(context));
    const known = (await webhooks?.list())?.find((webhook) => webhook.name === name);
    if (known) await webhooks?.remove(known.id, runActor);
    return sample;
  },
  scenarios: {
    409: scenario('with the name of another webhook', async ({ administration, sample, context }) => {
      const { name } = bodyOf(sample);
      const known = (await administration.webhooks.list()).some((webhook) => webhook.name === name);
      if (!known) await addWebhook(administration, targetOf(context), String(name));
      return sample;
    }),
  },
};

export const changeWebhookHints: OperationHints = { prepare: newWebhook };
export const removeWebhookHints: OperationHints = { prepare: newWebhook };
export const testWebhookHints: OperationHints = { prepare: newWebhook };

export const listDeliveriesHints: OperationHints = {
  prepare: (sample, context) =>
    withNew('webhookId', async (administration) => {
      const { webhookId } = await addDelivery(administration, targetOf(context));
      return webhookId;
    })(sample, context),
};

export const resendDeliveryHints: OperationHints = {
  prepare: (sample, context) =>
    withNew('deliveryId', async (administration) => {
      const { deliveryId } = await addDelivery(administration, targetOf(context));
      return deliveryId;
    })(sample, context),
};
