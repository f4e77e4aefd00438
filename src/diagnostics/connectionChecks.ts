import type { IdentityProviderView } from '../auth/identityProvider.js';
import type { MailServerView } from '../email/mailServer.js';
import type { SmsProviderView } from '../sms/smsProvider.js';
import type { OutboxItem } from '../outbox/outboxTable.js';
import type { Finding } from './finding.js';

/** What a server says when it is asked: nothing, or why it can't be used. */
export type AskServer = () => Promise<string | null>;

const notAsked: AskServer = () => Promise.resolve(null);

/** Can e-mails be sent? It is optional, so a missing set-up is not a failure, but half of one is. */
export const checkEmail = async (
  { host: name, port, from, isComplete }: MailServerView,
  ask = notAsked,
): Promise<Finding> => {
  const check = 'email';
  if (isComplete) {
    const host = `${name ?? ''}:${String(port)}`;
    const detail = await ask();
    if (detail === null) return { check, ok: true, message: { code: 'email-on', values: { host } } };
    const code = 'email-unusable';
    return { check, ok: false, message: { code, values: { host, detail } }, remedy: { code, values: {} } };
  }
  const isBegun = name !== null || from !== null;
  const code = isBegun ? 'email-incomplete' : 'email-off';
  return { check, ok: !isBegun, message: { code, values: {} }, remedy: { code, values: {} } };
};

/**
 * Can SMS be sent? Whether a provider accepts them shows
 * only in those that were sent, so the last failure is told.
 */
export const checkSms = (
  { url, fixed, isComplete }: SmsProviderView,
  { last }: { readonly last: OutboxItem<'sms'> | undefined },
): Finding => {
  const check = 'sms';
  if (url === null || !isComplete) {
    const code = url === null ? 'sms-off' : 'sms-incomplete';
    return { check, ok: url === null, message: { code, values: {} }, remedy: { code, values: {} } };
  }
  const host = withVariable(new URL(url).host, fixed);
  if (!last?.reason) return { check, ok: true, message: { code: 'sms-on', values: { host } } };
  const values = { host, time: { at: last.at }, sms: last.reason };
  return { check, ok: true, message: { code: 'sms-failed', values } };
};

/** Can users sign in at an identity provider? It is optional, too. */
export const checkSingleSignOn = async (
  { settings, fixed, fault }: IdentityProviderView,
  ask = notAsked,
): Promise<Finding> => {
  const check = 'single-sign-on';
  if (fault !== null) {
    const isBegun = Object.values(settings).some((value) => value !== undefined);
    const code = isBegun ? 'single-sign-on-incomplete' : 'single-sign-on-off';
    return { check, ok: !isBegun, message: { code, values: {} }, remedy: { code, values: {} } };
  }
  const variable = fixed.find(({ part }) => part === 'issuer')?.variable ?? null;
  const host = withVariable(new URL(settings.issuer ?? '').host, variable);
  const detail = await ask();
  if (detail === null) return { check, ok: true, message: { code: 'single-sign-on-on', values: { host } } };
  const code = 'single-sign-on-unusable';
  return { check, ok: false, message: { code, values: { host, detail } }, remedy: { code, values: {} } };
};

/** What the environment sets can't be changed in the web UI. */
const withVariable = (host: string, variable: string | null): string =>
  variable === null ? host : `${host} (${variable})`;
