import { compareNames } from '../lib/collections.js';
import { toLabel } from '../lib/label.js';
import { Refusal } from '../errors/problem.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { SecretError, webhookBinding, type Secrets } from '../secrets/encryption.js';
import type { Delivery, DeliveryState, DeliveryTable } from './deliveryTable.js';
import type { StoredWebhook, WebhookTable } from './webhookTable.js';
import type { PageLanguage } from '../i18n/language.js';
import type { FormatName } from './formats/format.js';
import { generateSigningSecret, isValidSigningSecret } from './formats/generic.js';
import { makeWebhookTest, type WebhookTestDeps, type WebhookTestResult } from './webhookTest.js';
import { checkPublicAddress } from '../ssrf/publicAddress.js';
import type { SsrfGuard } from '../ssrf/ssrfGuard.js';
import {
  addSigningSecret,
  isSigningFormat,
  maskWebhookAddress,
  openWebhook,
  sealSigningSecrets,
  sealWebhook,
} from './webhooks.js';

/** What a new webhook is made of. What is secret is read when nothing else is wrong. */
export interface NewWebhookInput {
  readonly name: string;
  readonly format: FormatName;
  readonly language: PageLanguage;
  /** Is it also told when a controller can't be reached? False where it is left out. */
  readonly reportsControllers?: boolean;
  readAddress(): Promise<string>;
  /** For formats that sign; without one, a secret is generated. */
  readSecret?(): Promise<string | undefined>;
}

/** A webhook as it may be shown. */
export interface ListedWebhook extends Pick<
  StoredWebhook,
  'id' | 'name' | 'format' | 'language' | 'reportsControllers' | 'active' | 'reason' | 'createdAt'
> {
  /** Masked; null when the key does not open it. */
  readonly address: string | null;
  readonly waiting: number;
  readonly failed: number;
  /**
   * The oldest delivery that failed more than once and is
   * tried again; null when all is well, or the webhook is off.
   */
  readonly failing: Pick<Delivery, 'reason' | 'tries' | 'createdAt' | 'at' | 'holds'> | null;
}

/** Adds, changes, tests and removes webhooks. All throw `Refusal`, and then nothing has changed. */
export interface WebhookAdministration {
  /** All webhooks, sorted by name. */
  list(): Promise<ListedWebhook[]>;
  show(id: number): Promise<ListedWebhook>;
  /** Returns the signing secret if one was generated: it is shown once. */
  add(
    input: NewWebhookInput,
    actor: Actor,
  ): Promise<{ readonly id: number; readonly maskedAddress: string; readonly secret: string | undefined }>;
  /** Renames a webhook, switches it on or off, or changes what it is told. */
  change(
    id: number,
    change: {
      readonly name?: string;
      readonly active?: boolean;
      readonly reportsControllers?: boolean;
    },
    actor: Actor,
  ): Promise<void>;
  remove(id: number, actor: Actor): Promise<void>;
  /** Signs with a new secret, and for a while with the old one, too. */
  rotateSecret(
    id: number,
    overlapMs: number,
    actor: Actor,
  ): Promise<{ readonly secret: string; readonly oldUntil: number }>;
  /** Sends a marked message at once. `source` is what the message says it comes from. */
  test(id: number, source: string): Promise<WebhookTestResult>;
  /** The newest deliveries of a webhook, newest first. */
  deliveries(id: number, limit: number): Promise<Delivery[]>;
  /** Queues a delivery again, from the first attempt on. */
  resend(deliveryId: number, actor: Actor): Promise<void>;
}

interface WebhookAdministrationDeps extends WebhookTestDeps {
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly guard: SsrfGuard;
  readonly rotationSafeWriter: RotationSafeWriter;
}

/** Each fails only because somebody else has replaced the secret in that moment. */
const maxRotationAttempts = 20;

export const makeWebhookAdministration = (deps: WebhookAdministrationDeps): WebhookAdministration => {
  const { webhooks, deliveries, system, guard, rotationSafeWriter } = deps;
  const sendTest = makeWebhookTest(deps);

  const find = async (id: number): Promise<StoredWebhook> => {
    const stored = (await webhooks.all()).find((known) => known.id === id);
    if (!stored) throw unknownWebhook();
    return stored;
  };

  const list = async (): Promise<ListedWebhook[]> => {
    const stored = await webhooks.all();
    // Without any, no key is needed, and none is made.
    if (stored.length === 0) return [];
    const [counts, failing] = await Promise.all([webhooks.counts(), deliveries.failing()]);
    const count = (id: number, state: DeliveryState): number =>
      counts.find((entry) => entry.webhookId === id && entry.state === state)?.count ?? 0;
    const secrets = deps.secrets();
    return stored
      .map(({ sealedAddress, sealedSecrets: _, ...webhook }) => ({
        ...webhook,
        address: openMaskedAddress(webhook.id, sealedAddress, secrets),
        waiting: count(webhook.id, 'waiting'),
        failed: count(webhook.id, 'failed'),
        failing: failing.find(({ webhookId }) => webhookId === webhook.id) ?? null,
      }))
      .sort(compareNames);
  };

  return {
    list,
    show: async (id) => {
      const found = (await list()).find((webhook) => webhook.id === id);
      if (!found) throw unknownWebhook();
      return found;
    },
    add: async (input, actor) => {
      const name = toLabel(input.name);
      const { format, language, reportsControllers = false } = input;
      if ((await webhooks.all()).some((known) => known.name === name)) throw nameTaken(name);
      const given = await readSigningSecret(input);
      const address = checkPublicAddress(guard, await input.readAddress()).href;
      const secret =
        given === undefined && isSigningFormat(format) ? generateSigningSecret(system) : undefined;
      const now = system.now();
      const audit = draftAudit(actor, 'webhook.add', now, { format, language, host: new URL(address).host });
      const order = { name, format, language, reportsControllers, address, secret: given ?? secret };
      const adding = rotationSafeWriter.write((secrets) =>
        webhooks.add(sealWebhook(order, secrets, now), audit),
      );
      const id = await adding;
      return { id, maskedAddress: maskWebhookAddress(address), secret };
    },
    change: async (id, { name: given, active, reportsControllers }, actor) => {
      const stored = await find(id);
      const name = given === undefined ? stored.name : toLabel(given);
      const isRenamed = name !== stored.name;
      if (!isRenamed && active === undefined && reportsControllers === undefined) return;
      const audit = draftAudit(actor, 'webhook.change', system.now(), {
        ...(isRenamed && { from: stored.name, to: name }),
        ...(active !== undefined && { active }),
        ...(reportsControllers !== undefined && { reportsControllers }),
      });
      const values = {
        ...(isRenamed && { name }),
        ...(active !== undefined && { active, reason: null }),
        ...(reportsControllers !== undefined && { reportsControllers }),
      };
      if (!(await webhooks.change(id, values, audit))) throw unknownWebhook();
    },
    remove: async (id, actor) => {
      const audit = draftAudit(actor, 'webhook.remove', system.now());
      if (!(await webhooks.remove(id, audit))) throw unknownWebhook();
    },
    rotateSecret: async (id, overlapMs, actor) => {
      const secret = generateSigningSecret(system);
      for (let attempt = 0; attempt < maxRotationAttempts; attempt += 1) {
        const stored = await find(id);
        const webhook = openWebhook(stored, deps.secrets());
        if (!isSigningFormat(webhook.format))
          throw new Refusal(
            'secret-not-needed',
            `${webhook.name} has the format ${webhook.format}, which does not sign`,
          );
        const now = system.now();
        const { secrets: signing } = addSigningSecret(webhook, secret, now, overlapMs);
        const audit = draftAudit(actor, 'webhook.change', now, { secret: true });
        const isChanged = await rotationSafeWriter.write((secrets) =>
          webhooks.replaceSecrets(
            id,
            { from: stored.sealedSecrets, to: sealSigningSecrets(id, signing, secrets) },
            audit,
          ),
        );
        // Somebody else has replaced them meanwhile: theirs go on signing, too.
        if (isChanged) return { secret, oldUntil: now + overlapMs };
      }
      throw new Refusal('busy', 'its secret is being replaced all the time', 'busy');
    },
    test: async (id, source) => sendTest(await find(id), source),
    deliveries: async (id, limit) => {
      await find(id);
      return deliveries.newest({ webhookId: id }, limit);
    },
    resend: async (deliveryId, actor) => {
      const now = system.now();
      const audit = draftAudit(actor, 'webhook.resend', now, { delivery: deliveryId });
      if (!(await deliveries.resend(deliveryId, now, audit)))
        throw new Refusal('unknown-delivery', 'there is no such delivery', 'missing');
    },
  };
};

const readSigningSecret = async ({ format, readSecret }: NewWebhookInput): Promise<string | undefined> => {
  const secret = await readSecret?.();
  if (secret === undefined) return undefined;
  if (!isSigningFormat(format))
    throw new Refusal(
      'secret-not-needed',
      `the format ${format} does not sign: it takes no secret`,
      'invalid',
    );
  if (!isValidSigningSecret(secret))
    throw new Refusal(
      'secret-invalid',
      'the given secret is not allowed: whsec_ and base64 of 24 to 64 bytes',
      'invalid',
    );
  return secret;
};

/** Webhooks are listed even without the right key, so that they can be removed. */
const openMaskedAddress = (id: number, sealedAddress: string, secrets: Secrets): string | null => {
  try {
    return maskWebhookAddress(secrets.open(sealedAddress, webhookBinding(id, 'address')));
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
};

const unknownWebhook = (): Refusal => new Refusal('unknown-webhook', 'there is no such webhook', 'missing');

const nameTaken = (name: string): Refusal =>
  new Refusal('name-taken', `there is already a webhook named "${name}"`);
