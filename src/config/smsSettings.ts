import type { SettingGroup } from './setting.js';

/** The SMS provider, where the environment sets it. */
export const smsSettings = {
  SMS_PROVIDER: {
    meaning:
      'The kind of the SMS provider. With it, the provider is set by these variables, and can not be changed in the [web UI](administration.md#sms). The others below count only together with it.',
    allowed: '`twilio` or `http`',
    example: 'twilio',
  },
  SMS_URL: {
    meaning:
      'Twilio: another address of its API, such as that of a region. Others: where each request goes; its query may have placeholders.',
    allowed: 'an address',
    standard: { words: '`https://api.twilio.com` for Twilio' },
    isSecret: true,
  },
  SMS_USER: {
    meaning: 'Twilio: the account SID. Others: the user for HTTP Basic, with `SMS_SECRET` as password.',
    example: 'AC0123456789abcdef0123456789abcdef',
  },
  SMS_SECRET: {
    meaning: 'Twilio: the auth token. Others: the password, or what stands for `{secret}`.',
    isSecret: true,
  },
  SMS_FROM: {
    meaning:
      'The sender: a number, a name of up to 11 letters and digits, or the SID of a messaging service of Twilio.',
    example: '+15005550006',
  },
  SMS_METHOD: {
    meaning: 'Others than Twilio: the method of the request.',
    words: ['POST', 'PUT', 'GET'],
    standard: 'POST',
  },
  SMS_HEADERS: {
    meaning: 'Others than Twilio: further headers, separated by `\\n`.',
    allowed: 'names and values, separated by a colon',
    example: 'Authorization: Bearer {secret}',
    isSecret: true,
  },
  SMS_FORMAT: {
    meaning: 'Others than Twilio: what the body is.',
    words: ['json', 'form'],
    standard: 'json',
  },
  SMS_BODY: {
    meaning:
      'Others than Twilio: the body, with the placeholders `{to}`, `{digits}` (the number without `+`), `{text}`, `{from}` and `{secret}`.',
    allowed: 'JSON, or a form',
    example: '{"to":"{to}","text":"{text}"}',
  },
  SMS_SENT_TEXT: {
    meaning:
      'Others than Twilio: an answer with a status of 2xx counts only if it has this text. Without it, each of them counts.',
    allowed: 'any text',
  },
} as const satisfies SettingGroup['settings'];
