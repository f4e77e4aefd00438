import { compareNames } from '../lib/collections.js';
import { toLabel } from '../lib/label.js';
import { publicText, Refusal } from '../lib/problem.js';
import { newId, type System } from '../lib/system.js';
import { draftAudit, type Actor } from '../people/audit.js';
import type { SealedWriter } from '../secrets/sealedWriter.js';
import { SecretError, webhookBinding, type Secrets } from '../secrets/secrets.js';
import type { Delivery, DeliveryState, DeliveryTable } from '../storage/deliveries.js';
import { WebhookNameTaken, type StoredWebhook, type WebhookTable } from '../storage/webhooks.js';
import type {
  DeliveryVerdict,
  FormatName,
  Language,
  WebhookEvent,
  WebhookResponse,
} from './formats/format.js';
import { generateSigningSecret, isValidSigningSecret } from './formats/generic.js';
import { webhookFormats } from './formats/index.js';
import type { WebhookSender } from './sender.js';
import { AddressRefused, type SsrfGuard } from './ssrfGuard.js';
import {
  activeSigningSecrets,
  addSigningSecret,
  isSigningFormat,
  maskWebhookAddress,
  openWebhook,
  redactWebhookSecrets,
  sealSigningSecrets,
  sealWebhook,
} from './webhooks.js';

/** What a new webhook is made of. What is secret is read when nothing else is wrong. */
export interface NewWebhookInput {
  readonly name: string;
  readonly format: FormatName;
  readonly language: Language;
  readAddress(): Promise<string>;
  /** For formats that sign; without one, a secret is generated. */
  readSecret?(): Promise<string | undefined>;
}

/** A webhook as it may be shown. */
export interface ListedWebhook extends Pick<
  StoredWebhook,
  'id' | 'name' | 'format' | 'language' | 'active' | 'reason' | 'createdAt'
> {
  /** Masked; null when the key does not open it. */
  readonly address: string | null;
  readonly waiting: number;
  readonly failed: number;
}

/** What came back for a test message, without anything secret. */
export interface WebhookTestResult {
  /** Undefined when there was no connection, or no response in time. */
  readonly response?: Pick<WebhookResponse, 'status' | 'body'>;
  readonly outcome: DeliveryVerdict['outcome'];
  readonly reason: string | undefined;
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
  setActive(id: number, active: boolean, actor: Actor): Promise<void>;
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

interface WebhookAdministrationDeps {
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly system: System;
  readonly guard: SsrfGuard;
  readonly send: WebhookSender['send'];
  readonly sealedWriter: SealedWriter;
  /** Opens sealed values. Called each time, because the key may have been rotated. */
  secrets(): Secrets;
}

/** Each waits for a target that may be slow. */
const maxTests = 4;

export const makeWebhookAdministration = (deps: WebhookAdministrationDeps): WebhookAdministration => {
  const { webhooks, deliveries, system, guard, sealedWriter } = deps;
  let running = 0;

  const find = async (id: number): Promise<StoredWebhook> => {
    const stored = (await webhooks.all()).find((known) => known.id === id);
    if (!stored) throw unknownWebhook();
    return stored;
  };

  const list = async (): Promise<ListedWebhook[]> => {
    const stored = await webhooks.all();
    // Without any, no key is needed, and none is made.
    if (stored.length === 0) return [];
    const counts = await webhooks.counts();
    const count = (id: number, state: DeliveryState): number =>
      counts.find((entry) => entry.webhookId === id && entry.state === state)?.count ?? 0;
    const secrets = deps.secrets();
    return stored
      .map(({ sealedAddress, sealedSecrets: _, ...webhook }) => ({
        ...webhook,
        address: openMaskedAddress(webhook.id, sealedAddress, secrets),
        waiting: count(webhook.id, 'waiting'),
        failed: count(webhook.id, 'failed'),
      }))
      .sort(compareNames);
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

  const checkAddress = (address: string): string => {
    try {
      return guard.check(address).href;
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      const reason = error.isInternal ? 'address-private' : 'url-invalid';
      throw new Refusal(reason, `the address is not allowed: ${error.message}`, 'invalid');
    }
  };

  const sendTestMessage = async (stored: StoredWebhook, source: string): Promise<WebhookTestResult> => {
    const webhook = openWebhook(stored, deps.secrets());
    const format = webhookFormats[webhook.format];
    const now = system.now();
    const event: WebhookEvent = {
      id: newId(system),
      count: 1,
      site: 'Test',
      source,
      createdAt: now,
      test: true,
    };
    const { language } = webhook;
    const message = format.compose(event, { language, secrets: activeSigningSecrets(webhook, now), now });
    const redact = (text: string): string => redactWebhookSecrets(text, webhook);
    try {
      const response = await deps.send(webhook.address, message);
      const verdict = format.judge(response);
      return {
        response: { status: response.status, body: redact(response.body) },
        outcome: verdict.outcome,
        reason: verdict.outcome === 'delivered' ? undefined : redact(verdict.reason),
      };
    } catch (error) {
      return { outcome: 'failed', reason: redact(publicText(error)) };
    }
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
      const { format, language } = input;
      if ((await webhooks.all()).some((known) => known.name === name)) throw nameTaken(name);
      const given = await readSigningSecret(input);
      const address = checkAddress(await input.readAddress());
      const secret =
        given === undefined && isSigningFormat(format) ? generateSigningSecret(system) : undefined;
      const now = system.now();
      const audit = draftAudit(actor, 'webhook.add', now, { format, language, host: new URL(address).host });
      const order = { name, format, language, address, secret: given ?? secret };
      const id = await sealedWriter
        .write((secrets) => webhooks.add(sealWebhook(order, secrets, now), audit))
        .catch((error: unknown) => {
          throw error instanceof WebhookNameTaken ? nameTaken(name) : error;
        });
      return { id, maskedAddress: maskWebhookAddress(address), secret };
    },
    setActive: async (id, active, actor) => {
      const audit = draftAudit(actor, 'webhook.change', system.now(), { active });
      if (!(await webhooks.setActive(id, active, null, audit))) throw unknownWebhook();
    },
    remove: async (id, actor) => {
      const audit = draftAudit(actor, 'webhook.remove', system.now());
      if (!(await webhooks.remove(id, audit))) throw unknownWebhook();
    },
    rotateSecret: async (id, overlapMs, actor) => {
      const webhook = openWebhook(await find(id), deps.secrets());
      if (!isSigningFormat(webhook.format))
        throw new Refusal(
          'secret-not-needed',
          `${webhook.name} has the format ${webhook.format}, which does not sign`,
        );
      const secret = generateSigningSecret(system);
      const now = system.now();
      const { secrets: signing } = addSigningSecret(webhook, secret, now, overlapMs);
      const audit = draftAudit(actor, 'webhook.change', now, { secret: true });
      const isChanged = await sealedWriter.write((secrets) =>
        webhooks.setSecrets(id, sealSigningSecrets(id, signing, secrets), audit),
      );
      if (!isChanged) throw unknownWebhook();
      return { secret, oldUntil: now + overlapMs };
    },
    test: async (id, source) => {
      const stored = await find(id);
      if (running >= maxTests) throw new Refusal('busy', 'too many tests are running', 'busy');
      running += 1;
      try {
        return await sendTestMessage(stored, source);
      } finally {
        running -= 1;
      }
    },
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
