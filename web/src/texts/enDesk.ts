import desk from './en/desk.json';
import guest from './en/guest.json';
import kiosk from './en/kiosk.json';
import kiosks from './en/kiosks.json';
import printers from './en/printers.json';
import profiles from './en/profiles.json';
import vouchers from './en/vouchers.json';

/** The texts of the front desk, which are loaded with its pages. Other languages have the same keys. */
export const englishDeskTexts = { desk, guest, kiosk, kiosks, printers, profiles, vouchers };

export type EnglishDeskTexts = typeof englishDeskTexts;
