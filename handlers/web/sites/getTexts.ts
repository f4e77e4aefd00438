import type { GuestLanguage } from '../../../src/i18n/guestTexts.js';
import type { WebHandler } from '../handler.js';

const languages = ['de', 'en', 'fr', 'es', 'it', 'nl', 'pl'] as const satisfies readonly GuestLanguage[];

export const getTexts: WebHandler<'getTexts'> = async ({ input, reply }, { siteTexts, textPreviews }) =>
  reply(200, {
    texts: { ...(await siteTexts.get(input.path.siteId)) },
    standard: Object.fromEntries(languages.map((language) => [language, textPreviews.standard(language)])),
  });
