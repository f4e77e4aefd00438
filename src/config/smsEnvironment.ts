import { refuseSetting as refuse } from './configError.js';
import { smsSettings } from './smsSettings.js';

type Environment = Readonly<Record<string, string | undefined>>;

export const smsKinds = ['twilio', 'http'] as const;
/** Twilio, or any provider that takes a request by HTTP. */
export type SmsKind = (typeof smsKinds)[number];

/** How a provider is asked to send an SMS. */
export interface SmsConnection {
  readonly kind: SmsKind;
  /** Twilio: without a path. Others: where a request goes. */
  readonly url: string;
  /** Twilio: the account SID. Others: for HTTP Basic; null without. */
  readonly user: string | null;
  readonly from: string | null;
  readonly method: 'POST' | 'PUT' | 'GET';
  /** One on each line. */
  readonly headers: string;
  readonly format: 'json' | 'form';
  readonly body: string;
  /** What an answer has to contain besides a status of 2xx. */
  readonly sentText: string | null;
}

/** A provider that the environment sets. */
export interface SmsEnvironment extends SmsConnection {
  readonly secret: string | undefined;
}

export const twilioUrl = 'https://api.twilio.com';

/** Undefined when the environment sets no provider: it is set in the web UI then. */
export const readSms = (env: Environment): SmsEnvironment | undefined => {
  const value = (name: string): string | undefined => env[name] || undefined;
  const kind = choose(env, 'SMS_PROVIDER', smsKinds);
  const others = Object.keys(smsSettings).filter((name) => name !== 'SMS_PROVIDER');
  if (kind === undefined) {
    const given = others.find((name) => value(name) !== undefined);
    return given === undefined ? undefined : refuse(given, '…', 'only together with SMS_PROVIDER');
  }
  const url =
    value('SMS_URL') ??
    (kind === 'twilio' ? twilioUrl : refuse('SMS_URL', '', 'the address of the provider'));
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    // It may hold a secret, so it is not shown.
    return refuse('SMS_URL', '…', 'an address that begins with https:// or http://');
  if (kind === 'twilio')
    for (const name of ['SMS_USER', 'SMS_SECRET', 'SMS_FROM'])
      if (value(name) === undefined) return refuse(name, '', 'Twilio needs it');
  return {
    kind,
    url,
    user: value('SMS_USER') ?? null,
    from: value('SMS_FROM') ?? null,
    secret: value('SMS_SECRET'),
    method: choose(env, 'SMS_METHOD', ['POST', 'PUT', 'GET'] as const) ?? 'POST',
    // A line break can not be written in every file of variables.
    headers: (value('SMS_HEADERS') ?? '').replaceAll('\\n', '\n'),
    format: choose(env, 'SMS_FORMAT', ['json', 'form'] as const) ?? 'json',
    body: value('SMS_BODY') ?? '',
    sentText: value('SMS_SENT_TEXT') ?? null,
  };
};

const choose = <T extends string>(env: Environment, name: string, words: readonly T[]): T | undefined => {
  const given = env[name] || undefined;
  if (given === undefined) return undefined;
  return words.find((word) => word === given) ?? refuse(name, given, `one of ${words.join(', ')}`);
};
