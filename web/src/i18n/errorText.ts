import { useTranslations } from 'use-intl';
import { ApiError } from '../api/api.ts';
import { useFormat } from './format.ts';
import type { Messages } from '../texts/messages.ts';

interface ErrorText {
  /** What happened, and what to do. */
  readonly text: string;
  /** The id to quote when asking for help; only for errors that users can't solve themselves. */
  readonly requestId: string | null;
}

type ErrorKey = `errors.${keyof Messages['errors']}`;

/** Where the text of an error is: what only one group of pages can meet is among the texts of that group. */
const keysOf = (message: string): readonly ErrorKey[] =>
  [
    `errors.${message}`,
    `controllers.error-${message}`,
    `controllerSetup.error-${message}`,
    `keys.error-${message}`,
    `kiosks.error-${message}`,
    `limits.error-${message}`,
    `mail.error-${message}`,
    `singleSignOn.error-${message}`,
    `sites.error-${message}`,
    `sms.error-${message}`,
    `webhooks.error-${message}`,
  ] as ErrorKey[];

/** What people read of an error. */
export const useErrorText = (): ((error: unknown) => ErrorText) => {
  const t = useTranslations();
  const format = useFormat();
  return (error) => {
    if (!(error instanceof ApiError)) return { text: t('errors.unexpected'), requestId: null };
    const key = keysOf(error.message).find((known) => t.has(known));
    const { minutes } = error.values;
    const values = {
      ...error.values,
      ...(minutes !== undefined && { duration: format.duration(minutes) }),
    };
    return {
      text: key ? t(key, values) : t('errors.unexpected'),
      requestId: !key || error.status >= 500 ? error.requestId : null,
    };
  };
};
