import { controllerAddressOf } from '../controllers/https/settings.js';
import { formatCommandLine, toQuotedWord } from '../lib/commandLine.js';
import type { Message } from '../i18n/messages.js';
import { publicText } from '../lib/publicText.js';
import { canOpen } from '../secrets/rotationSafeWriter.js';
import {
  connectionBinding,
  credentialsBinding,
  orderCodesBinding,
  totpBinding,
  webhookBinding,
  wifiBinding,
  type Secrets,
} from '../secrets/encryption.js';
import type { DiagnosedTables } from './tables.js';
import type { Finding } from './finding.js';

/** A stored secret that the key does not open, and what to do about it. */
export interface UnopenableSecret {
  readonly what: Message<'sealed'>;
  readonly remedy: Message<'sealedRemedy'>;
}

interface SealedValue {
  readonly value: string | null;
  readonly binding: Parameters<Secrets['open']>[1];
}

/** Lists all sealed values that the key does not open. The key is read only when something is sealed. */
export const listUnopenableSecrets = async (
  tables: DiagnosedTables,
  secrets: () => Secrets,
): Promise<UnopenableSecret[]> => {
  const [mailServer, identityProvider, smsProvider, webhooks, controllers, users, wifiPasswords, orders] =
    await Promise.all([
      tables.connections.find('mail'),
      tables.connections.find('single-sign-on'),
      tables.connections.find('sms'),
      tables.webhooks.all(),
      tables.controllers.all(),
      tables.users.all(),
      tables.sites.sealedWifiPasswords(),
      tables.intents.withSealedCodes(),
    ]);
  const sealed: (UnopenableSecret & { readonly values: readonly SealedValue[] })[] = [
    ...webhooks.map(({ id, name, sealedAddress, sealedSecrets }) => ({
      what: { code: 'webhook', values: { name } } as const,
      remedy: { code: 'webhook', values: {} } as const,
      values: [
        { value: sealedAddress, binding: webhookBinding(id, 'address') },
        { value: sealedSecrets, binding: webhookBinding(id, 'secrets') },
      ],
    })),
    ...controllers.map((controller) => ({
      what: { code: 'controller', values: { name: controller.name } } as const,
      remedy: toCredentialsRemedy(
        formatCommandLine(`controller credentials ${toQuotedWord(controller.name)}`),
        controllerAddressOf(controller),
      ),
      values: [{ value: controller.sealedCredentials, binding: credentialsBinding(controller) }],
    })),
    ...users.map(({ id, name, sealedTotpSecret, sealedTotpEnrolment }) => {
      const command = formatCommandLine(`user reset-second-factor ${toQuotedWord(name)}`);
      return {
        what: { code: 'second-factor', values: { name } } as const,
        remedy: { code: 'second-factor', values: { command } } as const,
        values: [
          { value: sealedTotpSecret, binding: totpBinding(id, 'secret') },
          { value: sealedTotpEnrolment, binding: totpBinding(id, 'enrolment') },
        ],
      };
    }),
    ...[...wifiPasswords].map(([siteId, value]) => ({
      what: { code: 'wifi', values: { site: siteId } } as const,
      remedy: { code: 'wifi', values: {} } as const,
      values: [{ value, binding: wifiBinding(siteId) }],
    })),
    ...orders.map(({ id, name, sealedCodes }) => ({
      what: { code: 'order-codes', values: { name } } as const,
      remedy: { code: 'order-codes', values: {} } as const,
      values: [{ value: sealedCodes, binding: orderCodesBinding(id) }],
    })),
    ...(
      [
        ['mail', 'mail-server', mailServer],
        ['single-sign-on', 'identity-provider', identityProvider],
        ['sms', 'sms-provider', smsProvider],
      ] as const
    ).map(([name, code, connection]) => ({
      what: { code, values: {} },
      remedy: { code, values: {} },
      values: connection?.secret
        ? [
            {
              value: connection.secret.sealed,
              binding: connectionBinding(name, connection.secret.secretFor),
            },
          ]
        : [],
    })),
  ];
  if (sealed.every(({ values }) => values.every(({ value }) => value === null))) return [];
  const { open } = secrets();
  return sealed.filter(
    ({ values }) => !values.every(({ value, binding }) => value === null || canOpen(open, value, binding)),
  );
};

const toCredentialsRemedy = (command: string, address: string | undefined): Message<'sealedRemedy'> =>
  address === undefined
    ? { code: 'controller-without-address', values: { command } }
    : { code: 'controller', values: { command, address } };

/** Does the key open what is stored? */
export const checkStoredSecrets = async (
  tables: DiagnosedTables,
  secrets: () => Secrets,
): Promise<Finding> => {
  const check = 'secrets';
  try {
    const unopenable = await listUnopenableSecrets(tables, secrets);
    const [first] = unopenable;
    if (!first) return { check, ok: true, message: { code: 'secrets-open', values: {} } };
    return {
      check,
      ok: false,
      message: { code: 'secrets-not-open', values: { sealed: unopenable.map(({ what }) => what) } },
      remedy: { code: 'secrets-not-open', values: { sealedRemedy: first.remedy } },
    };
  } catch (error) {
    return {
      check,
      ok: false,
      message: { code: 'secrets-unknown', values: { detail: publicText(error) } },
      remedy: { code: 'secrets-unknown', values: {} },
    };
  }
};
