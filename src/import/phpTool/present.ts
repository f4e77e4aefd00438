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

/** The controller that is there already: the same console, with the same account. */
export const findControllerOf = (
  { address, username, password }: PlannedController,
  stored: readonly StoredController[],
  secrets: () => Secrets,
): StoredController | undefined => {
  const wanted = new URL(address).href.replace(/(?<!\/)\/+$/, '');
  return stored.find((controller) => {
    const own = controllerAddressOf(controller);
    if (controller.kind !== 'unifi-classic' || own === undefined || controller.sealedCredentials === null)
      return false;
    if (new URL(own).href.replace(/(?<!\/)\/+$/, '') !== wanted) return false;
    const text = openOr(secrets, controller.sealedCredentials, credentialsBinding(controller));
    return text !== undefined && isSameAccount(text, { username, password });
  });
};

const isSameAccount = (
  text: string,
  account: { readonly username: string; readonly password: string },
): boolean => {
  const stored = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return stored['username'] === account.username && stored['password'] === account.password;
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
