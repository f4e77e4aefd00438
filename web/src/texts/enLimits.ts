import limits from './en/limits.json';
import profiles from './en/profiles.json';

/** The texts of the limits, which are loaded with their page. Other languages have the same keys. */
export const englishLimitsTexts = { limits, profiles };

export type EnglishLimitsTexts = typeof englishLimitsTexts;
