import limits from './de/limits.json';
import profiles from './de/profiles.json';
import type { EnglishLimitsTexts } from './enLimits.ts';

export const germanLimitsTexts: EnglishLimitsTexts = { limits, profiles };
