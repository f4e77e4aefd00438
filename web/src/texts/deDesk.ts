import desk from './de/desk.json';
import guest from './de/guest.json';
import kiosk from './de/kiosk.json';
import kiosks from './de/kiosks.json';
import printers from './de/printers.json';
import profiles from './de/profiles.json';
import vouchers from './de/vouchers.json';
import type { EnglishDeskTexts } from './enDesk.ts';

/** The texts of the front desk, which are loaded with its pages. */
export const germanDeskTexts: EnglishDeskTexts = { desk, guest, kiosk, kiosks, printers, profiles, vouchers };
