import type { en } from './en.js';

/** The same kinds and codes as in English. */
type TextTable = {
  readonly [Kind in keyof typeof en]: Readonly<Record<keyof (typeof en)[Kind], string>>;
};

/** What the service says to people in German. */
export const de: TextTable = {
  addressKind: {
    unspecified: 'eine unbestimmte Adresse',
    loopback: 'eine Adresse dieses Rechners selbst',
    private: 'eine private Adresse',
    'link-local': 'eine Adresse nur für das lokale Netz',
    provider: 'eine Adresse im Netz eines Anbieters',
    cloud: 'eine Adresse im Netz einer Cloud',
    documentation: 'eine Adresse für Beispiele',
    benchmark: 'eine Adresse für Messungen',
    multicast: 'eine Multicast-Adresse',
    reserved: 'eine reservierte Adresse',
    'ipv4-in-ipv6': 'eine IPv4-Adresse in IPv6',
    'this-machine': 'dieser Rechner',
    none: 'keine Adresse',
  },
  attempt: {
    redirected: 'hat mit {status} geantwortet, einer Weiterleitung',
    answered: 'hat mit {status} geantwortet',
    'answered-code': 'hat mit {status} geantwortet ({code})',
    throttled: 'nimmt gerade nicht mehr an (429)',
    refused: 'Verbindung abgelehnt',
    reset: 'Verbindung abgebrochen',
    'unknown-host': 'den Namen gibt es nicht',
    'name-service': 'der Namensdienst antwortet nicht',
    unreachable: 'nicht erreichbar',
    'no-connection': 'keine Verbindung',
    'no-http': 'die Antwort ist kein HTTP',
    tls: 'TLS ist gescheitert: {code}',
    certificate: 'dem Zertifikat ist nicht zu trauen: {code}',
    timeout: 'keine Antwort innerhalb von {seconds} s',
    other: 'die Anfrage ist gescheitert',
    'address-internal': '{host} ist {addressKind}; wer sie erlauben will, nennt sie in WEBHOOK_ALLOW_PRIVATE',
    'name-internal':
      '{host} führt zu {address}, das ist {addressKind}; wer sie erlauben will, nennt sie in WEBHOOK_ALLOW_PRIVATE',
    'address-malformed': 'keine Adresse der Form https://host/pfad',
    'address-protocol': 'nur https:// und http:// sind erlaubt',
    'address-credentials': 'Benutzername oder Passwort in der Adresse sind nicht erlaubt',
    text: '{text}',
  },
  email: {
    credentials: 'der Mailserver nimmt die Zugangsdaten nicht an',
    answered: 'Antwort des Mailservers: {answer}',
    'no-answer': 'der Mailserver antwortet nicht',
    'unknown-host': 'der Name des Mailservers lässt sich nicht auflösen',
    'no-connection': 'keine Verbindung zum Mailserver ({code})',
    disconnected: 'der Mailserver hat die Verbindung beendet',
    tls: 'keine verschlüsselte Verbindung zum Mailserver ({code})',
    'not-confirmed': 'der Mailserver hat die E-Mail nicht bestätigt: vielleicht wurde sie trotzdem gesendet',
    stopping: 'der Dienst wird beendet',
    'voucher-missing': 'diesen Voucher gibt es nicht',
    'voucher-ended': 'der Voucher ist nicht mehr gültig',
    other: 'der Mailserver ist nicht verwendbar ({code})',
    unexpected: 'ein unerwarteter Fehler ist aufgetreten',
    text: '{text}',
  },
  order: {
    'not-shown':
      'Der Controller hat {shown} von {count} Vouchern gezeigt. Es wird nachgesehen, welche es gibt; das dauert etwa eine Minute.',
    'only-some': 'Der Controller hat nur {made} von {count} Vouchern angelegt.',
    none: 'Der Controller hat nicht rechtzeitig geantwortet und nichts angelegt.',
    'not-usable': 'Der Controller hat Voucher ohne Code angelegt. Sie wurden widerrufen.',
    'controller-removed':
      'Der Controller wurde entfernt, bevor nachgesehen werden konnte, was er angelegt hat.',
    'too-late': 'Der Auftrag konnte nicht rechtzeitig gespeichert werden. Es wurde nichts angelegt.',
    'taken-by-others':
      'Die Voucher wurden von einem anderen Vorgang erfasst. Es wird nachgesehen, welche es noch gibt.',
    'settings-unusable': 'Die Einstellungen des Controllers sind nicht verwendbar.',
    unexpected: 'Ein unerwarteter Fehler ist aufgetreten.',
  },
  revocation: {
    'controller-removed': 'Der Controller wurde entfernt und kann nicht mehr gefragt werden.',
    'too-late': 'Dafür war keine Zeit mehr. Bitte noch einmal versuchen.',
  },
};
