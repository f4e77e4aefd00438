import type { SmsConnection } from '../config/smsEnvironment.js';
import { Refusal } from '../errors/problem.js';
import type { WebhookMessage } from '../webhooks/formats/format.js';

/** What a request is filled with. */
export interface SmsValues {
  /** As E.164. */
  readonly to: string;
  readonly text: string;
}

/** A request to a provider. */
export interface SmsRequest {
  readonly url: string;
  readonly message: WebhookMessage;
}

const placeholders = ['to', 'digits', 'text', 'from', 'secret'] as const;
type Placeholder = (typeof placeholders)[number];
/** A text has line breaks, which no header may have. */
const ofHeaders: readonly Placeholder[] = ['to', 'digits', 'from', 'secret'];
const braces = /\{(\w+)\}/g;

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e]*$/;
/** Those that the connection and the body decide. */
const ownHeaders = [
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'user-agent',
];
const maxHeaders = 20;

const twilioSid = /^AC[0-9a-fA-F]{32}$/;
const messagingService = /^MG[0-9a-fA-F]{32}$/;
const senderPattern = /^[+0-9A-Za-z ._&-]{1,40}$/;

/** Does a request of this provider need a secret? */
export const needsSecret = ({ kind, user, url, headers, body }: SmsConnection): boolean =>
  kind === 'twilio' || user !== null || [url, headers, body].some((part) => part.includes('{secret}'));

/** Throws `Refusal` for what no request can be made of. */
export const checkSmsRequest = (connection: SmsConnection): void => {
  const { kind, user, from } = connection;
  if (from !== null && !senderPattern.test(from))
    throw invalid('sms-from-invalid', 'the sender is not valid');
  if (user !== null && /[\p{Cc}\p{Cs}:]/u.test(user))
    throw invalid('sms-user-invalid', 'the user name has invalid characters');
  if (kind === 'twilio') {
    if (user === null || !twilioSid.test(user))
      throw invalid('sms-user-invalid', 'an account SID has AC and 32 digits');
    if (from === null) throw invalid('sms-from-invalid', 'Twilio needs a sender');
    return;
  }
  parseHeaders(connection);
  const parts = [...paramsOf(connection.url), ...bodyTexts(connection)];
  const used = parts.flatMap((text) => [...text.matchAll(braces)].map(([, name = '']) => name));
  const has = (name: Placeholder): boolean => used.includes(name);
  if (!(has('to') || has('digits')) || !has('text') || used.some((name) => !isPlaceholder(name)))
    throw invalid('sms-body-invalid', 'number and text are needed: {to} or {digits}, and {text}');
  // What a guest receives would have the secret in it.
  if (secretPlaces(connection).some(({ template }) => /\{(to|digits|text)\}/.test(template)))
    throw invalid('sms-secret-mixed', '{secret} stands alone, and not beside {to}, {digits} or {text}');
};

/** Where a request of one's own has the secret: it must not get anywhere else without being entered again. */
export const secretPlaces = (connection: SmsConnection): Place[] => {
  if (connection.kind === 'twilio') return [];
  const { url, method, format, body } = connection;
  const inBody = (): Place[] =>
    format === 'form' ? toPlaces('body', toPairs(body)) : textsOf(parseBody(body), 'body');
  return [
    ...toPlaces('header', parseHeaders(connection)),
    ...toPlaces('url', new URL(url).searchParams),
    ...(method === 'GET' ? [] : inBody()),
  ].filter(({ template }) => template.includes('{secret}'));
};

/**
 * The request for an SMS. Values are escaped by what writes
 * JSON, forms and addresses: none of them can change it.
 */
export const makeSmsRequest = (
  connection: SmsConnection,
  secret: string | undefined,
  { to, text }: SmsValues,
): SmsRequest => {
  const { kind, user, from, method } = connection;
  const authorization: Record<string, string> =
    user === null
      ? {}
      : { authorization: `Basic ${Buffer.from(`${user}:${secret ?? ''}`).toString('base64')}` };
  if (kind === 'twilio') {
    const sender = messagingService.test(from ?? '') ? 'MessagingServiceSid' : 'From';
    const body = new URLSearchParams({ To: to, [sender]: from ?? '', Body: text }).toString();
    const path = `/2010-04-01/Accounts/${user ?? ''}/Messages.json`;
    const headers = { ...authorization, 'content-type': formType, accept: 'application/json' };
    return { url: new URL(path, connection.url).href, message: { method: 'POST', headers, body } };
  }
  const values: Readonly<Record<Placeholder, string>> = {
    to,
    digits: to.slice(1),
    text,
    from: from ?? '',
    secret: secret ?? '',
  };
  const fill = (template: string): string =>
    template.replaceAll(braces, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole));
  const headers = Object.fromEntries(parseHeaders(connection).map(([name, value]) => [name, fill(value)]));
  const hasBody = method !== 'GET';
  const isJson = connection.format === 'json';
  const body = isJson ? fillJson(connection.body, fill) : fillForm(toPairs(connection.body), fill);
  return {
    url: fillUrl(connection.url, fill),
    message: {
      method,
      headers: {
        ...headers,
        ...authorization,
        ...(hasBody && { 'content-type': isJson ? 'application/json' : formType }),
      },
      body: hasBody ? body : '',
    },
  };
};

/** A text of a request that placeholders are filled in. */
interface Place {
  readonly where: string;
  readonly template: string;
}

const toPlaces = (part: string, pairs: Iterable<[string, string]>): Place[] =>
  [...pairs].map(([name, template]) => ({ where: `${part} ${name}`, template }));

/** All texts in JSON. */
const textsOf = (value: unknown, where: string): Place[] => {
  if (typeof value === 'string') return [{ where, template: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, `${where} ${name}`));
};

const formType = 'application/x-www-form-urlencoded';

const isPlaceholder = (name: string): name is Placeholder => placeholders.some((known) => known === name);

const invalid = (code: string, message: string): Refusal => new Refusal(code, message, 'invalid');

const parseHeaders = ({ headers, user }: Pick<SmsConnection, 'headers' | 'user'>): [string, string][] => {
  const lines = headers.split(/\r?\n/).filter((line) => line.trim() !== '');
  const refuse = (): never => {
    throw invalid('sms-headers-invalid', 'each line has a name, a colon and a value');
  };
  if (lines.length > maxHeaders) return refuse();
  return lines.map((line) => {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    const isOwn = ownHeaders.includes(name) || (user !== null && name === 'authorization');
    const isFillable = [...value.matchAll(braces)].every(([, word]) => ofHeaders.some((one) => one === word));
    if (colon < 1 || !headerName.test(name) || !headerValue.test(value) || isOwn || !isFillable)
      return refuse();
    return [name, value];
  });
};

/** Pairs of a form may stand on lines of their own. */
const toPairs = (body: string): URLSearchParams =>
  new URLSearchParams(
    body
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('&'),
  );

const fillForm = (pairs: URLSearchParams, fill: (text: string) => string): string =>
  new URLSearchParams([...pairs].map(([name, value]): [string, string] => [name, fill(value)])).toString();

const fillJson = (body: string, fill: (text: string) => string): string =>
  JSON.stringify(parseBody(body), (_, value: unknown) => (typeof value === 'string' ? fill(value) : value));

const parseBody = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw invalid('sms-body-invalid', 'the body is not valid JSON');
  }
};

/** The texts of a body that placeholders are looked for in. */
const bodyTexts = ({ method, format, body }: SmsConnection): string[] => {
  if (method === 'GET') return [];
  if (format === 'form') return [...toPairs(body).values()];
  return textsOf(parseBody(body), '').map(({ template }) => template);
};

const paramsOf = (url: string): string[] => [...new URL(url).searchParams.values()];

const fillUrl = (address: string, fill: (text: string) => string): string => {
  const url = new URL(address);
  if (url.search !== '') url.search = fillForm(url.searchParams, fill);
  return url.href;
};
