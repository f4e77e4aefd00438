import { useTranslations } from 'use-intl';
import { ApiError } from '../../api/api.ts';
import { useErrorText } from '../../i18n/errorText.ts';
import type { Messages } from '../../texts/messages.ts';

type KioskKey = `kiosk.${keyof Messages['kiosk']}`;

/** What guests read of an error: in their own words where staff would read more. */
export const useGuestErrorText = (): ((error: unknown) => string) => {
  const t = useTranslations();
  const errorText = useErrorText();
  return (error) => {
    const key = (error instanceof ApiError ? `kiosk.error-${error.message}` : '') as KioskKey;
    return t.has(key) ? t(key) : errorText(error).text;
  };
};
