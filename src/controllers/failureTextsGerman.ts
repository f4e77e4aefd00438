import type { ControllerError, OutcomeUnknown } from './errors.js';
import {
  describeFailure,
  type CertificateFailure,
  type ConnectFailure,
  type Failure,
  type Quote,
  type UnreadableReason,
  type FailureTexts,
} from './failure.js';

/**
 * A failure for the API client whose order failed. Addresses, certificates and names of sites are for the operator
 * only: the log and the command line have them.
 */
export const describeInGerman = ({
  failure,
  controller,
}: Pick<ControllerError | OutcomeUnknown, 'failure' | 'controller'>): string => sentence(failure, controller);

const sentence = (failure: Failure, controller: string | undefined): string =>
  describeFailure(germanTexts, failure, controller);

const named = (controller: string | undefined): string =>
  controller === undefined ? '' : ` „${controller}“`;
const the = (controller: string | undefined): string => `Der Controller${named(controller)}`;
const ofThe = (controller: string | undefined): string => `des Controllers${named(controller)}`;

const quote = ({ said, status }: Quote): string => {
  const parts = [
    ...(said === undefined ? [] : [said]),
    ...(status === undefined ? [] : [`Status ${status}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
};

const connectTexts: Readonly<Record<Exclude<ConnectFailure, 'closed'>, string>> = {
  refused: 'die Verbindung wurde abgelehnt',
  reset: 'die Verbindung wurde abgebrochen',
  'unknown-host': 'der Name ist unbekannt',
  'name-service': 'der Namensdienst antwortet nicht',
  'no-route': 'es führt kein Weg zu ihm',
  timeout: 'die Verbindung kam nicht rechtzeitig zustande',
  tls: 'TLS kam nicht zustande',
  other: 'die Verbindung kam nicht zustande',
};

const certificateText = (failure: CertificateFailure, controller: string | undefined): string => {
  const certificate = `ertifikat ${ofThe(controller)}`;
  switch (failure.reason) {
    case 'self-signed':
      return `Dem Z${certificate} wird nicht vertraut: es ist selbst signiert`;
    case 'unknown-ca':
      return `Dem Z${certificate} wird nicht vertraut: seine Zertifizierungsstelle ist unbekannt`;
    case 'expired':
      return `Das Z${certificate} ist abgelaufen (gültig bis ${failure.validTo})`;
    case 'not-yet-valid':
      return `Das Z${certificate} ist noch nicht gültig (erst ab ${failure.validFrom})`;
    case 'host-name':
      return `Das Z${certificate} gilt nicht für seine Adresse`;
    case 'other':
      return `Dem Z${certificate} wird nicht vertraut (${failure.code})`;
  }
};

const unreadableTexts: Readonly<
  Record<UnreadableReason, (controller: string | undefined, needed: string) => string>
> = {
  answer: (controller) => `Die Antwort ${ofThe(controller)} ist nicht lesbar`,
  'too-large': (controller) => `Die Antwort ${ofThe(controller)} ist zu groß`,
  redirect: (controller) => `${the(controller)} schickt an eine andere Adresse weiter`,
  faulty: (controller) => `${the(controller)} ist gestört`,
  starting: (controller) => `${the(controller)} startet gerade oder ist gestört`,
  login: (controller) =>
    `${the(controller)} startet gerade oder ist gestört: er antwortet nicht auf die Anmeldung`,
  'no-session': (controller) => `Die Anmeldung am Controller${named(controller)} brachte keine Sitzung`,
  'no-unifi': (controller) => `Unter der Adresse ${ofThe(controller)} antwortet kein UniFi`,
  'no-unifi-network': (controller) => `Unter der Adresse ${ofThe(controller)} antwortet kein UniFi Network`,
  'no-integration-api': (controller, needed) =>
    `Unter der Adresse ${ofThe(controller)} antwortet keine Integration API; nötig ist UniFi Network ${needed}`,
  'no-version': (controller) => `${the(controller)} nennt seine Version nicht`,
  list: (controller) => `Die Liste ${ofThe(controller)} ist nicht lesbar`,
  'list-changing': (controller) => `Die Liste ${ofThe(controller)} ändert sich zu schnell`,
  'list-incomplete': (controller) => `Die Liste ${ofThe(controller)} ist unvollständig`,
  voucher: (controller) => `Ein Voucher ${ofThe(controller)} ist nicht lesbar`,
  'no-code': (controller) => `${the(controller)} hat einen Voucher ohne Code geliefert`,
};

const germanTexts: FailureTexts<string | undefined> = {
  unreachable: ({ reason }, controller) =>
    reason === 'closed'
      ? `Die Verbindung zum Controller${named(controller)} ist geschlossen`
      : `${the(controller)} ist nicht erreichbar: ${connectTexts[reason]}`,
  timeout: ({ seconds }, controller) =>
    seconds === undefined
      ? `${the(controller)} hat nicht rechtzeitig geantwortet`
      : `${the(controller)} hat nicht innerhalb von ${seconds} s geantwortet`,
  disconnected: (_, controller) =>
    `Die Verbindung zum Controller${named(controller)} brach ab, bevor er ganz geantwortet hatte`,
  certificate: certificateText,
  'other-certificate': (_, controller) =>
    `${the(controller)} zeigt ein anderes Zertifikat als das festgelegte`,
  credentials: (failure, controller) =>
    failure.of === 'api-key'
      ? `${the(controller)} nimmt den API-Schlüssel nicht an${quote(failure)}`
      : `${the(controller)} hat Benutzer oder Passwort abgelehnt; neuer Versuch frühestens in ${failure.seconds} s`,
  'two-factor': (_, controller) =>
    `Das Konto am Controller${named(controller)} verlangt einen zweiten Faktor. Bitte am Controller ein lokales Konto ohne zweiten Faktor anlegen, mit der Rolle Hotspot oder Administrator, und dieses verwenden`,
  'locked-out': ({ seconds }, controller) =>
    `${the(controller)} lässt nach zu vielen Anmeldungen vorerst keine weitere zu; neuer Versuch in ${seconds} s`,
  permission: (failure, controller) =>
    failure.of === 'api-key'
      ? `Der API-Schlüssel für den Controller${named(controller)} darf das nicht${quote(failure)}`
      : `Das Konto am Controller${named(controller)} darf das nicht. Es braucht dort die Rolle Hotspot oder Administrator${quote(failure)}`,
  site: (failure, controller) => {
    switch (failure.reason) {
      case 'unknown':
        return `${the(controller)} kennt diesen Standort nicht${quote(failure)}`;
      case 'not-listed':
        return `${the(controller)} kennt den eingestellten Standort nicht`;
      case 'several':
        return `${the(controller)} hat mehrere Standorte; es ist nicht eingestellt, welcher gemeint ist`;
    }
  },
  bounds: (failure, controller) => {
    switch (failure.reason) {
      case 'value': {
        const { field, value, from, to } = failure;
        return `${field}: ${value} nimmt der Controller${named(controller)} nicht an, nur ${from} bis ${to}`;
      }
      case 'count':
        return `${the(controller)} legt ${failure.from} bis ${failure.to} Voucher auf einmal an`;
      case 'unnamed':
        return `${the(controller)} hat einen Wert des Auftrags abgelehnt${quote(failure)}`;
    }
  },
  throttled: ({ seconds }, controller) => `${the(controller)} wird zu oft gefragt; bitte ${seconds} s warten`,
  'circuit-open': ({ seconds }, controller) =>
    `${the(controller)} hat mehrmals hintereinander nicht geantwortet; er wird in ${seconds} s wieder geprüft`,
  deadline: (_, controller) =>
    `Für den Controller${named(controller)} blieb keine Zeit; er wurde nicht gefragt`,
  refused: (failure, controller) => {
    switch (failure.reason) {
      case 'request':
        return `${the(controller)} hat die Anfrage abgelehnt${quote(failure)}`;
      case 'order':
        return `${the(controller)} hat den Auftrag abgelehnt${quote(failure)}`;
      case 'login':
        return `${the(controller)} hat die Anmeldung abgelehnt${quote(failure)}`;
      case 'session':
        return `${the(controller)} verlangt gleich nach der Anmeldung eine neue${quote(failure)}`;
      case 'csrf':
        return `${the(controller)} nimmt von dieser Anmeldung keine Änderung an (CSRF)`;
      case 'too-old':
        return `${the(controller)} ist zu alt: UniFi Network ${failure.version}, nötig ist ${failure.needed}`;
      case 'no-vouchers':
        return `${the(controller)} kennt an diesem Standort keine Voucher; nötig ist UniFi Network ${failure.needed}`;
    }
  },
  unreadable: (failure, controller) =>
    `${unreadableTexts[failure.reason](controller, failure.needed ?? '')}${quote(failure)}`,
  'not-read': ({ cause }, controller) => {
    const why =
      cause === undefined
        ? 'Fehler'
        : cause === 'not-listed'
          ? 'er ist dort noch nicht zu sehen'
          : sentence(cause, controller);
    return `Der Voucher ist am Controller${named(controller)} angelegt, aber nicht gelesen: ${why}`;
  },
};
