import { useQuery } from '@tanstack/react-query';
import type { GuestLanguage } from '../../../../src/i18n/guestLanguages.ts';
import type { Schemas } from '../../api/schemas.ts';
import { loadGroupTexts } from '../../i18n/loadTexts.ts';

/** The texts of a kiosk without own ones. Kiosks have them from the same file, so the service has none of them. */
export const useKioskStandard = (language: GuestLanguage): Schemas['OwnTexts'] => {
  const { data } = useQuery({
    queryKey: ['kiosk texts', language],
    queryFn: async () => (await loadGroupTexts('guests', language)).kiosk ?? null,
    staleTime: Infinity,
  });
  return data ? { kioskTitle: data.title, kioskText: data.text } : {};
};
