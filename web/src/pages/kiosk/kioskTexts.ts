import type { Schemas } from '../../api/schemas.ts';
import { useLanguage } from '../../i18n/language.tsx';

type KioskTexts = Schemas['KioskView']['texts'];

/** The site's own texts in the language that is shown; undefined where it has none. */
export const useKioskTexts = (texts: KioskTexts): KioskTexts[number] | undefined => {
  const { language } = useLanguage();
  return texts.find((own) => own.language === language);
};
