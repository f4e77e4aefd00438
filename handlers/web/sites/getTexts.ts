import { guestLanguages } from '../../../src/i18n/guestLanguages.js';
import type { WebHandler } from '../handler.js';

export const getTexts: WebHandler<'getTexts'> = async ({ input, reply }, { siteTexts, textPreviews }) =>
  reply(200, {
    texts: { ...(await siteTexts.get(input.path.siteId)) },
    standard: Object.fromEntries(
      guestLanguages.map((language) => [language, textPreviews.standard(language)]),
    ),
  });
