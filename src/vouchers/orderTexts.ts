import type { Texts } from '../i18n/language.js';

/** Why an order of the pages is not made, or not completely. */
export const orderTexts = {
  notShown: (shown: number, count: number): Texts => ({
    de: `Der Controller hat ${String(shown)} von ${String(count)} Vouchern gezeigt. Es wird nachgesehen, welche es gibt; das dauert etwa eine Minute.`,
    en: `The controller has shown ${String(shown)} of ${String(count)} vouchers. It is being checked which of them exist; that takes about a minute.`,
  }),
  onlySome: (made: number, count: number): Texts => ({
    de: `Der Controller hat nur ${String(made)} von ${String(count)} Vouchern angelegt.`,
    en: `The controller has made only ${String(made)} of ${String(count)} vouchers.`,
  }),
  none: {
    de: 'Der Controller hat nicht rechtzeitig geantwortet und nichts angelegt.',
    en: 'The controller did not answer in time and has made nothing.',
  },
  notUsable: {
    de: 'Der Controller hat Voucher ohne Code angelegt. Sie wurden widerrufen.',
    en: 'The controller has made vouchers without a code. They were revoked.',
  },
  controllerRemoved: {
    de: 'Der Controller wurde entfernt, bevor nachgesehen werden konnte, was er angelegt hat.',
    en: 'The controller was removed before it could be checked what it has made.',
  },
  tooLate: {
    de: 'Der Auftrag konnte nicht rechtzeitig gespeichert werden. Es wurde nichts angelegt.',
    en: 'The order could not be stored in time. Nothing was made.',
  },
  takenByOthers: {
    de: 'Die Voucher wurden von einem anderen Vorgang erfasst. Es wird nachgesehen, welche es noch gibt.',
    en: 'The vouchers were recorded for another order. It is being checked which others exist.',
  },
} as const satisfies Readonly<Record<string, Texts | ((made: number, count: number) => Texts)>>;

/** Why a voucher was not revoked. */
export const revocationTexts = {
  controllerRemoved: {
    de: 'Der Controller wurde entfernt und kann nicht mehr gefragt werden.',
    en: 'The controller was removed and can not be asked any more.',
  },
  tooLate: {
    de: 'Dafür war keine Zeit mehr. Bitte noch einmal versuchen.',
    en: 'There was no time left for it. Please try again.',
  },
} as const satisfies Readonly<Record<string, Texts>>;
