import type { StoredController } from '../../controllers/controllerTable.js';
import { controllerAddressOf } from '../../controllers/https/settings.js';
import {
  credentialsBinding,
  SecretError,
  webhookBinding,
  type Binding,
  type Secrets,
} from '../../secrets/encryption.js';
import type { StoredWebhook } from '../../webhooks/webhookTable.js';
import type { PlannedController } from './planControllers.js';

/** A controller that is there already: the same console, with the same user. */
interface FoundController {
  readonly planned: PlannedController;
  readonly stored: StoredController;
  /** Otherwise it was changed, here or in the tool. */
  readonly hasSamePassword: boolean;
}

/**
 * Finds those that are there already, each for one planned
 * controller: first by user and password, then by user alone.
 */
export const findControllersOf = (
  controllers: readonly PlannedController[],
  stored: readonly StoredController[],
  secrets: () => Secrets,
): FoundController[] => {
  const addresses = new Set(controllers.map(({ address }) => toComparable(address)));
  const accounts = stored.flatMap((controller) => toAccount(controller, addresses, secrets) ?? []);
  const found = new Map<PlannedController, FoundController>();
  const taken = new Set<StoredController>();
  for (const hasSamePassword of [true, false])
    for (const planned of controllers.filter((controller) => !found.has(controller))) {
      const account = accounts.find(
        ({ controller, address, username, password }) =>
          !taken.has(controller) &&
          address === toComparable(planned.address) &&
          username === planned.username &&
          (!hasSamePassword || password === planned.password),
      );
      if (!account) continue;
      taken.add(account.controller);
      found.set(planned, { planned, stored: account.controller, hasSamePassword });
    }
  return [...found.values()];
};

const toComparable = (address: string): string => new URL(address).href.replace(/(?<!\/)\/+$/, '');

/** Opens the credentials of consoles at these addresses only. */
const toAccount = (controller: StoredController, addresses: ReadonlySet<string>, secrets: () => Secrets) => {
  const own = controllerAddressOf(controller);
  if (controller.kind !== 'unifi-classic' || own === undefined || controller.sealedCredentials === null)
    return undefined;
  const address = toComparable(own);
  if (!addresses.has(address)) return undefined;
  const text = openOr(secrets, controller.sealedCredentials, credentialsBinding(controller));
  if (text === undefined) return undefined;
  const { username, password } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return { controller, address, username, password };
};

/** The webhook that is there already: the same format and address. */
export const findWebhookOf = (
  address: string,
  stored: readonly StoredWebhook[],
  secrets: () => Secrets,
): StoredWebhook | undefined =>
  stored.find(({ id, format, sealedAddress }) => {
    if (format !== 'php-tool' || !URL.canParse(address)) return false;
    return openOr(secrets, sealedAddress, webhookBinding(id, 'address')) === new URL(address).href;
  });

const openOr = (secrets: () => Secrets, sealed: string, binding: Binding): string | undefined => {
  try {
    return secrets().open(sealed, binding);
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
};
