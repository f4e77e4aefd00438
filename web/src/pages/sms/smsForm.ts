import type { Schemas } from '../../api/schemas.ts';

export type SmsKind = Schemas['SmsKind'];
type Provider = Schemas['SmsProvider'];
type Settings = Schemas['SmsProviderSettings'];

/** What is typed. */
export interface SmsFormValues {
  readonly kind: SmsKind;
  readonly url: string;
  readonly user: string;
  readonly secret: string;
  readonly from: string;
  readonly method: Settings['method'];
  readonly headers: string;
  readonly format: Settings['format'];
  readonly body: string;
  readonly sentText: string;
  readonly countryCode: string;
  /** Separated by commas. */
  readonly allowedCodes: string;
  readonly maxPerDay: number | string;
}

const twilioUrl = 'https://api.twilio.com';
/** What most providers take in one form or another. */
export const exampleBodies: Readonly<Record<Settings['format'], string>> = {
  json: '{\n  "to": "{to}",\n  "from": "{from}",\n  "text": "{text}"\n}',
  form: 'to={to}&from={from}&text={text}',
};

export const toFormValues = (provider: Provider): SmsFormValues => ({
  kind: provider.kind ?? 'twilio',
  url: provider.url ?? twilioUrl,
  user: provider.user ?? '',
  secret: '',
  from: provider.from ?? '',
  method: provider.method,
  headers: provider.headers,
  format: provider.format,
  body: provider.body || exampleBodies[provider.format],
  sentText: provider.sentText ?? '',
  countryCode: provider.countryCode ?? '',
  allowedCodes: provider.allowedCodes.join(', '),
  maxPerDay: provider.maxPerDay,
});

/** Another kind, with the address that it usually has. */
export const withKind = ({ url }: SmsFormValues, kind: SmsKind): Partial<SmsFormValues> => ({
  kind,
  ...(kind === 'twilio' ? { url: twilioUrl } : url === twilioUrl && { url: '' }),
});

/** Another format, with its example where the other one's still stands there. */
export const withFormat = ({ body }: SmsFormValues, format: Settings['format']): Partial<SmsFormValues> => ({
  format,
  ...(Object.values(exampleBodies).includes(body) && { body: exampleBodies[format] }),
});

const toCodes = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]/)
      .map((code) => code.replace(/^(?:\+|00)/, ''))
      .filter((code) => code !== ''),
  ),
];

export const toSettings = (values: SmsFormValues, provider: Provider): Settings => {
  const { kind, secret, method, format, maxPerDay } = values;
  const isHttp = kind === 'http';
  // What the environment sets is sent back as it is.
  const fixed = provider.fixed === null ? {} : fixedParts(provider);
  return {
    kind,
    method: isHttp ? method : 'POST',
    format,
    url: values.url.trim(),
    user: values.user.trim() || null,
    from: values.from.trim() || null,
    headers: isHttp ? values.headers.trim() : '',
    body: isHttp && method !== 'GET' ? values.body.trim() : '',
    sentText: (isHttp && values.sentText.trim()) || null,
    ...(secret !== '' && { secret }),
    ...fixed,
    countryCode: toCodes(values.countryCode)[0] ?? null,
    allowedCodes: toCodes(values.allowedCodes),
    maxPerDay: Number(maxPerDay),
  };
};

const fixedParts = (provider: Provider): Partial<Settings> => {
  const { kind, url, user, from, method, headers, format, body, sentText } = provider;
  return { kind: kind ?? 'http', url: url ?? '', user, from, method, headers, format, body, sentText };
};
