import { useTranslations } from 'use-intl';
import { ApiError } from '../api/api.ts';
import { useFormat } from './format.ts';
import type { EnglishTexts } from '../texts/en.ts';

interface ErrorText {
  /** What happened, and what to do. */
  readonly text: string;
  /** The id to quote when asking for help; only for errors that users can't solve themselves. */
  readonly requestId: string | null;
}

type ErrorKey = `errors.${keyof EnglishTexts['errors']}`;

/** What people read of an error. */
export const useErrorText = (): ((error: unknown) => ErrorText) => {
  const t = useTranslations();
  const format = useFormat();
  return (error) => {
    if (!(error instanceof ApiError)) return { text: t('errors.unexpected'), requestId: null };
    const key = `errors.${error.message}` as ErrorKey;
    const { minutes } = error.values;
    const values = {
      ...error.values,
      ...(minutes !== undefined && { duration: format.duration(minutes) }),
    };
    const isKnown = t.has(key);
    return {
      text: isKnown ? t(key, values) : t('errors.unexpected'),
      requestId: !isKnown || error.status >= 500 ? error.requestId : null,
    };
  };
};
