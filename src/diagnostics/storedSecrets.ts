import { controllerAddressOf } from '../controllers/https/settings.js';
import { formatCommandLine, toQuotedWord } from '../lib/commandLine.js';
import type { Texts } from '../i18n/language.js';
import { publicText } from '../lib/publicText.js';
import { boundKeysFilePath } from '../secrets/boundKeys.js';
import { acceptsUnbound, type SecretKeySource } from '../secrets/secretKey.js';
import { canOpen } from '../secrets/rotationSafeWriter.js';
import {
  credentialsBinding,
  isUnbound,
  totpBinding,
  webhookBinding,
  type Secrets,
} from '../secrets/encryption.js';
import type { DiagnosedTables } from './tables.js';
import { texts, type Finding } from './finding.js';

/** A stored secret that the key does not open, and what to do about it. */
interface UnopenableSecret {
  readonly what: Texts;
  readonly remedy: Texts;
}

/** Lists all sealed values that the key does not open. The key is read only when something is sealed. */
export const listUnopenableSecrets = async (
  tables: DiagnosedTables,
  secrets: () => Secrets,
): Promise<UnopenableSecret[]> => {
  const [webhooks, controllers, users] = await Promise.all([
    tables.webhooks.all(),
    tables.controllers.all(),
    tables.users.all(),
  ]);
  const sealed = [
    ...webhooks.map(({ id, name, sealedAddress, sealedSecrets }) => ({
      what: texts(`Webhook "${name}"`, `webhook "${name}"`),
      remedy: texts('den Webhook entfernen', 'remove the webhook'),
      values: [
        { value: sealedAddress, binding: webhookBinding(id, 'address') },
        { value: sealedSecrets, binding: webhookBinding(id, 'secrets') },
      ],
    })),
    ...controllers.map((controller) => ({
      what: texts(`Controller "${controller.name}"`, `controller "${controller.name}"`),
      remedy: describeCredentialsRemedy(
        formatCommandLine(`controller credentials ${toQuotedWord(controller.name)}`),
        controllerAddressOf(controller),
      ),
      values: [{ value: controller.sealedCredentials, binding: credentialsBinding(controller) }],
    })),
    ...users.map(({ id, name, sealedTotpSecret, sealedTotpEnrolment }) => {
      const reset = formatCommandLine(`user reset-second-factor ${toQuotedWord(name)}`);
      return {
        what: texts(`zweiter Faktor von "${name}"`, `second factor of "${name}"`),
        remedy: texts(`ihn neu einrichten lassen: ${reset}`, `let it be set up again: ${reset}`),
        values: [
          { value: sealedTotpSecret, binding: totpBinding(id, 'secret') },
          { value: sealedTotpEnrolment, binding: totpBinding(id, 'enrolment') },
        ],
      };
    }),
  ];
  if (sealed.every(({ values }) => values.every(({ value }) => value === null))) return [];
  const { open } = secrets();
  return sealed.filter(
    ({ values }) => !values.every(({ value, binding }) => value === null || canOpen(open, value, binding)),
  );
};

const describeCredentialsRemedy = (command: string, address: string | undefined): Texts =>
  texts(
    `ihm seine Zugangsdaten noch einmal geben: ${command} (vorher prüfen, ob seine Adresse stimmt: ${address ?? 'keine'})`,
    `give it its credentials again: ${command} (first see that its address is right: ${address ?? 'none'})`,
  );

/** What to do about secrets in the format of an earlier version, which are accepted until all of them are bound. */
export const unboundSecretsRemedy = (source: SecretKeySource): Texts => {
  const [file, migrate] = [boundKeysFilePath(source.dataDir), formatCommandLine('migrate')];
  if (acceptsUnbound(source))
    return texts(
      `alle Dienste jener Version beenden, und dann: ${migrate}`,
      `stop all services of that version, and then: ${migrate}`,
    );
  return texts(
    `wurde eine Kopie der Datenbank zurückgespielt, zuerst ${file} entfernen, und dann: ${migrate}`,
    `if a copy of the database was put back, first remove ${file}, and then: ${migrate}`,
  );
};

/** Does the key open what is stored? */
export const checkStoredSecrets = async (
  tables: DiagnosedTables,
  secrets: () => Secrets,
  config: SecretKeySource,
): Promise<Finding> => {
  const check = 'secrets';
  try {
    if ((await tables.sealed.all()).some(isUnbound))
      return {
        check,
        ok: false,
        message: texts(
          'einige haben die Form einer früheren Version',
          'some have the form of an earlier version',
        ),
        remedy: unboundSecretsRemedy(config),
      };
    const unopenable = await listUnopenableSecrets(tables, secrets);
    const [first] = unopenable;
    if (!first)
      return {
        check,
        ok: true,
        message: texts('alle gespeicherten lassen sich öffnen', 'all stored ones open'),
      };
    const list = (language: keyof Texts): string => unopenable.map(({ what }) => what[language]).join(', ');
    return {
      check,
      ok: false,
      message: texts(
        `mit einem anderen Schlüssel oder für eine andere Adresse versiegelt: ${list('de')}`,
        `sealed with another key or for another address: ${list('en')}`,
      ),
      remedy: texts(
        `jenen Schlüssel zurücklegen (SECRET_KEY, oder secret.key in DATA_DIR), oder ${first.remedy.de}`,
        `put that key back (SECRET_KEY, or secret.key in DATA_DIR), or ${first.remedy.en}`,
      ),
    };
  } catch (error) {
    return {
      check,
      ok: false,
      message: texts(
        'sie ließen sich nicht prüfen: der geheime Schlüssel oder die Datenbank ist nicht lesbar',
        publicText(error),
      ),
      remedy: texts(
        'SECRET_KEY zurücksetzen, oder secret.key in DATA_DIR zurücklegen',
        'put back SECRET_KEY, or secret.key in DATA_DIR',
      ),
    };
  }
};
