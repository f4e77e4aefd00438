import { guestLanguages, type GuestLanguage } from '../../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../../src/i18n/guestTexts.js';
import type { PrintedLogo } from '../../../src/printing/printedLogo.js';
import { toVoucherSlip, type VoucherSlip } from '../../../src/printing/voucherSlip.js';
import { ownTextRules, type OwnTexts } from '../../../src/sites/ownTexts.js';
import { someVoucher } from '../../support/records.js';
import { closedWifi } from '../../support/wifiNetworks.js';

/** With what a piece is filled: as most sites have it, with a limit of each kind, with the longest names, or with the longest own texts as well. */
export const fillings = ['usual', 'limited', 'longest', 'own'] as const;
export type Filling = (typeof fillings)[number];

/** Words of the language, up to a length. */
const fillUp = (words: string, length: number): string => {
  const filled = `${words} `.repeat(Math.ceil(length / words.length)).slice(0, length);
  return `${filled.slice(0, filled.lastIndexOf(' '))}.`;
};

const ownTextsIn = (language: GuestLanguage): OwnTexts => {
  const words = loadGuestTexts(language).get('stepEnter');
  const fill = (name: keyof OwnTexts, head = ''): string =>
    `${head}${fillUp(words, ownTextRules[name].maxCharacters - head.length - 1)}`;
  return {
    slipHeading: fill('slipHeading'),
    slipSteps: fill('slipSteps', '{name} {site}\n'),
    slipText: fill('slipText', '{wifi} {limits}\n'),
    emailSubject: fill('emailSubject', '{name}: '),
    emailText: fill('emailText', '{name} {time}\n\n'),
    emailClosing: fill('emailClosing', '{limits}\n\n'),
    smsText: fill('smsText'),
  };
};

const usualNames: Readonly<Record<GuestLanguage, string>> = {
  ...{ de: 'Familie Müller', en: 'Room 12', cs: 'Dvořákovi, pokoj 12', da: 'Værelse 12', es: 'Señor Núñez' },
  ...{ fa: 'اتاق ۱۲', fi: 'Äijälä, huone 12', fr: 'Chambre 12, François', it: 'Camera 12', nl: 'Kamer 12' },
  ...{ pl: 'Łukasz Żółć', pt: 'João, quarto 12', 'pt-BR': 'João, quarto 12', ru: 'Номер 12', sr: 'Соба 12' },
};

const longSite =
  'Gästehaus & Wellnesshotel „Zum Goldenen Löwen“ am See, Tagungszentrum und Ferienwohnungen der Familie Oberhofer in Sankt Wolfgang im Salzkammergut, Haupthaus mit Nebengebäuden, Campingplatz, Strandbad, Bootsverleih, Skischule und Seminarräumen'.padEnd(
    255,
    ' am See',
  );
const longName = 'Reisegruppe Donaudampfschifffahrtsgesellschaft, Bus 3, Zimmer 101 bis 148, '.repeat(4);

export const slipIn = (language: GuestLanguage, filling: Filling, logo?: PrintedLogo): VoucherSlip =>
  filling === 'usual' || filling === 'limited'
    ? toVoucherSlip(
        {
          ...someVoucher({ code: '1234567890' }),
          ...(filling === 'limited' && { down: 20_000, up: 5000, quotaMb: 1000 }),
          ...{ name: `2026-11-14_${usualNames[language]}`, maxUses: 2, expireMinutes: 3 * 1440 },
        },
        {
          ...{ name: 'Hotel am See', slipText: null, logo },
          network: closedWifi('Hotel-Gast', 'sommer2026'),
        },
        loadGuestTexts(language),
      )
    : toVoucherSlip(
        {
          ...someVoucher({ code: '8888888888' }),
          ...{ name: `2026-11-14_${longName.slice(0, 244)}`, maxUses: 2_147_483_647 },
          // Days, hours and minutes, each in the plural; four digits where that is still a sensible time.
          ...{ expireMinutes: 1825 * 1440 + 23 * 60 + 55, down: 888_888, up: 222_222, quotaMb: 888_888 },
        },
        {
          ...{ name: longSite, slipText: null, logo },
          network: closedWifi('WWWW Gäste & Freunde MMMM @@@@', `${'W@m!;:"\\'.repeat(7)}MWM@W#9`),
          ...(filling === 'own' && { own: ownTextsIn(language) }),
        },
        loadGuestTexts(language),
      );

export const slipsOf = (filling: Filling, logo?: PrintedLogo): VoucherSlip[] =>
  guestLanguages.map((language) => slipIn(language, filling, logo));
