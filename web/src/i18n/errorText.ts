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

/** What people read of an error. */
export const useErrorText = (): ((error: unknown) => ErrorText) => {
  const t = useTranslations();
  const format = useFormat();
  return (error) => {
    if (!(error instanceof ApiError)) return { text: t('errors.unexpected'), requestId: null };
    // Messages of one part of the pages are in its own texts.
    const keys = [`errors.${error.message}`, `sms.error-${error.message}`] as ErrorKey[];
    const key = keys.find((known) => t.has(known));
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
