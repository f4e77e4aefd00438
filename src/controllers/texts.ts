import { publicText } from '../lib/publicText.js';
import type { Texts } from '../i18n/language.js';
import { SecretError } from '../secrets/encryption.js';
import { ControllerError, OutcomeUnknown, SettingsError, type SettingName } from './errors.js';
import {
  describeFailure,
  type Failure,
  type FailureTexts,
  type FailureValues,
  type Quote,
} from './failure.js';
import { describeInEnglish } from './failureTextsEnglish.js';
import { describeInGerman } from './failureTextsGerman.js';
import type { controllerTrustOf } from './https/settings.js';

const textsOf = (de: string, en: string): Texts => ({ de, en });

/** Where a connection goes. */
export const endpointTexts = (address: string, port: number): Texts =>
  textsOf(`${address}, Port ${String(port)}`, `${address}, port ${String(port)}`);

/** Why a certificate is trusted. */
export const trustTexts: Readonly<Record<ReturnType<typeof controllerTrustOf>, Texts>> = {
  system: textsOf('Das System vertraut ihm', 'The system trusts it'),
  'own CA': textsOf('Die angegebene Zertifizierungsstelle hat es signiert', 'It is signed by the given CA'),
  pinned: textsOf('Es ist das festgelegte', 'It is the pinned one'),
};

/** What went wrong with a controller, for people who look at it in the pages. Its name stands beside it there. */
export const describeForPeople = (error: unknown): Texts => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown) {
    const { failure } = error;
    return {
      de: publicText(describeInGerman({ failure, controller: undefined })),
      en: toSentence(publicText(describeInEnglish(failure))),
    };
  }
  if (error instanceof SecretError)
    return textsOf(
      'Die gespeicherten Zugangsdaten lassen sich nicht öffnen: sie wurden mit einem anderen Schlüssel oder für eine andere Adresse versiegelt',
      'The stored credentials can not be opened: they were sealed with another key or for another address',
    );
  if (error instanceof SettingsError) return settingTexts[error.setting] ?? unusableSettings;
  return textsOf('Ein unerwarteter Fehler ist aufgetreten', 'An unexpected error occurred');
};

/** A failure as a whole sentence for staff, who placed an order. `toStaffFailure` tells what it may hold. */
export const describeFailureForStaff = (failure: Failure): Texts =>
  textsOf(
    `${publicText(describeInGerman({ failure, controller: undefined }))}.`,
    `${describeFailure(staffTexts, failure, undefined)}.`,
  );

/**
 * What staff may know of a failure, which is also what is stored of it. As in the API, addresses, certificates and
 * names of the controller's sites are not part of it.
 */
export const toStaffFailure = (failure: Failure): Failure => {
  switch (failure.trouble) {
    case 'timeout':
      // Who waits for an order knows for how long; it is the same reason after any time.
      return { trouble: 'timeout' };
    case 'certificate':
      return failure.reason === 'host-name'
        ? { ...failure, fingerprint: undefined, host: '', names: '' }
        : { ...failure, fingerprint: undefined };
    case 'other-certificate':
      return { ...failure, fingerprint: undefined };
    case 'site':
      if (failure.reason === 'unknown') return withPublicQuote(failure);
      return failure.reason === 'several' ? { ...failure, known: [] } : { ...failure, site: '', known: [] };
    case 'not-read': {
      const { cause } = failure;
      return { ...failure, cause: typeof cause === 'object' ? toStaffFailure(cause) : cause };
    }
    default:
      return 'said' in failure ? withPublicQuote(failure) : failure;
  }
};

const withPublicQuote = <T extends Quote>(failure: T): T =>
  failure.said === undefined ? failure : { ...failure, said: publicText(failure.said) };

/** Is this, from the database, a failure of a kind that is known? */
export const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' &&
  value !== null &&
  'trouble' in value &&
  typeof value.trouble === 'string' &&
  Object.hasOwn(staffTexts, value.trouble);

const staffTexts: FailureTexts<undefined> = {
  unreachable: () => 'The controller can not be reached',
  timeout: () => 'The controller did not answer in time',
  disconnected: () => 'The connection to the controller broke before it had answered',
  certificate: () => 'The certificate of the controller is not trusted',
  'other-certificate': () => 'The controller shows another certificate than the pinned one',
  credentials: () => 'The controller does not accept the stored credentials',
  'two-factor': () => 'The account on the controller asks for a second factor',
  'locked-out': ({ seconds }) =>
    `The controller lets nobody sign in for a while; next attempt in ${String(seconds)} s`,
  permission: () => 'The account on the controller may not do this',
  site: () => 'The controller does not know this site',
  bounds: (failure) => {
    if (failure.reason === 'value')
      return `${failure.field}: the controller does not take ${String(failure.value)}, only ${String(failure.from)} to ${String(failure.to)}`;
    if (failure.reason === 'count')
      return `The controller makes ${String(failure.from)} to ${String(failure.to)} vouchers at a time`;
    return 'The controller does not take one of the values';
  },
  throttled: ({ seconds }) => `The controller is asked too often; please wait ${String(seconds)} s`,
  'circuit-open': ({ seconds }) =>
    `The controller did not answer several times in a row; it is checked again in ${String(seconds)} s`,
  deadline: () => 'There was no time left for the controller; it was not asked',
  refused: () => 'The controller has refused the request',
  unreadable: () => 'The answer of the controller can not be read',
  'not-read': () => 'The controller has made the vouchers, but they could not be read yet',
};

/** What to do about it in the pages. */
export const adviseForPeople = (error: unknown): Texts | undefined => {
  if (error instanceof ControllerError || error instanceof OutcomeUnknown)
    return describeAdvice(error.failure);
  if (error instanceof SecretError)
    return textsOf('Die Zugangsdaten neu eingeben', 'Enter the credentials again');
  return undefined;
};

const toSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const credentialsText = textsOf(
  'Zugangsdaten fehlen oder passen nicht zu dieser Art',
  'Credentials are missing, or do not belong to this kind',
);

const settingTexts: Readonly<Partial<Record<SettingName, Texts>>> = {
  url: textsOf(
    'Die Adresse ist nicht erlaubt: nötig ist eine mit https, ohne Benutzer, Passwort und Parameter, wie https://192.168.1.1',
    'The address is not allowed: it has to be one with https, without user, password and parameters, such as https://192.168.1.1',
  ),
  fingerprint: textsOf(
    'Der Fingerabdruck ist keiner: SHA-256 hat 64 hexadezimale Ziffern',
    'The fingerprint is not valid: SHA-256 has 64 hexadecimal digits',
  ),
  'ca-file': textsOf('Der Text enthält kein Zertifikat in PEM', 'The text holds no certificate in PEM'),
  'api-key': credentialsText,
  username: credentialsText,
  password: credentialsText,
  credentials: credentialsText,
  address: textsOf('Diese Art hat keine Adresse', 'This kind has no address'),
  trust: textsOf(
    'Entweder ein Fingerabdruck oder eine Zertifizierungsstelle: beide zugleich gehen nicht',
    'Either a fingerprint or a CA: not both at a time',
  ),
};

const unusableSettings = textsOf('Die Einstellungen sind nicht verwendbar', 'The settings can not be used');

type Advice = FailureTexts<'de' | 'en'>;
type Choose = (de: string, en: string) => (values: unknown, language: 'de' | 'en') => string;

const choose: Choose = (de, en) => (_, language) => (language === 'de' ? de : en);

const compareAndPin = choose(
  'Den Fingerabdruck mit dem vergleichen, den der Controller selbst zeigt, und ihn festlegen, wenn er derselbe ist',
  'Compare the fingerprint with the one that the controller itself shows, and pin it if it is the same',
);

const certificateAdvice = (failure: FailureValues['certificate'], language: 'de' | 'en'): string => {
  const pin = compareAndPin(failure, language);
  const or = (de: string, en: string): string =>
    language === 'de' ? `${de}; oder: ${pin}` : `${en}; or: ${pin}`;
  switch (failure.reason) {
    case 'self-signed':
    case 'other':
      return pin;
    case 'unknown-ca':
      return or('Das Zertifikat der Zertifizierungsstelle angeben', 'Give the certificate of its CA');
    case 'expired':
      return or(
        'Das Zertifikat am Controller erneuern, und die Uhr dieses Servers prüfen',
        'Renew the certificate on the controller, and check the clock of this server',
      );
    case 'not-yet-valid':
      return or(
        'Die Uhren des Controllers und dieses Servers prüfen',
        'Check the clocks of the controller and of this server',
      );
    case 'host-name':
      return or('Eine Adresse verwenden, für die es gilt', 'Use an address that it is for');
  }
};

const advice: Advice = {
  unreachable: ({ reason }, language) =>
    reason === 'unknown-host' || reason === 'name-service'
      ? choose(
          'Den Namen prüfen, oder statt seiner die IP-Adresse angeben',
          'Check the name, or give the IP address instead',
        )(undefined, language)
      : choose(
          'Adresse und Port prüfen, ob der Controller läuft, und die Firewall auf dem Weg dorthin',
          'Check address and port, that the controller runs, and the firewall on the way to it',
        )(undefined, language),
  timeout: choose(
    'Nachsehen, was den Controller beschäftigt, oder ihn neu starten, wenn er hängt',
    'Find out what keeps the controller busy, or restart it when it hangs',
  ),
  disconnected: choose(
    'Noch einmal versuchen; kommt es wieder, nach einem Proxy auf dem Weg suchen',
    'Try again; should it come again, look for a proxy on the way',
  ),
  certificate: certificateAdvice,
  'other-certificate': choose(
    'Herausfinden, warum es sich geändert hat, und es nur festlegen, wenn der Controller selbst denselben Fingerabdruck zeigt',
    'Find out why it has changed, and pin it only if the controller itself shows the same fingerprint',
  ),
  credentials: choose('Die Zugangsdaten neu eingeben', 'Enter the credentials again'),
  'two-factor': choose(
    'Am Controller ein lokales Konto ohne zweiten Faktor anlegen und dieses verwenden',
    'Make a local account without a second factor on the controller, and use that one',
  ),
  'locked-out': choose('Drei Minuten warten und noch einmal versuchen', 'Wait three minutes, and try again'),
  permission: choose(
    'Dem Konto am Controller die Rolle Hotspot oder Administrator geben',
    'Give the account a role on the controller that may manage vouchers: hotspot manager, or administrator of the site',
  ),
  site: choose('Einen anderen Standort wählen', 'Choose another site'),
  bounds: choose('Einen anderen Wert wählen', 'Choose another value'),
  throttled: choose('Eine Minute warten', 'Wait a minute'),
  'circuit-open': choose(
    'Herausfinden, warum er ausfällt; er wird von selbst wieder gefragt',
    'Find out why it fails; it is asked again by itself',
  ),
  deadline: choose('Herausfinden, warum er langsam ist', 'Find out why it is slow'),
  refused: ({ reason }, language) =>
    reason === 'too-old' || reason === 'no-vouchers'
      ? choose(
          'UniFi Network aktualisieren, oder die Art „unifi-classic“ wählen',
          'Update UniFi Network, or choose the kind "unifi-classic"',
        )(undefined, language)
      : choose(
          'Tun, was der Controller sagt, oder in seinem Protokoll nachsehen',
          'Do what the controller says, or look into its own log',
        )(undefined, language),
  unreadable: choose(
    'Prüfen, ob die Adresse die der Konsole selbst ist, und die Art; startet sie gerade, in einer Minute noch einmal versuchen',
    'Check that the address is that of the console itself, and the kind; while it starts, try again in a minute',
  ),
  'not-read': choose('Den Voucher am Controller suchen', 'Look for the voucher on the controller'),
};

const describeAdvice = (failure: ControllerError['failure']): Texts => ({
  de: describeFailure(advice, failure, 'de'),
  en: describeFailure(advice, failure, 'en'),
});
