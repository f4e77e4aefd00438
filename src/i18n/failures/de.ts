import type { FailureTable } from './en.js';

/**
 * Why a call of a controller failed. The operator reads the same in German; the log and the command line are
 * English.
 */
export const germanFailures = {
  'unreachable-refused': 'Der Controller{named} ist nicht erreichbar: die Verbindung wurde abgelehnt',
  'unreachable-reset': 'Der Controller{named} ist nicht erreichbar: die Verbindung wurde abgebrochen',
  'unreachable-unknown-host': 'Der Controller{named} ist nicht erreichbar: der Name ist unbekannt',
  'unreachable-name-service': 'Der Controller{named} ist nicht erreichbar: der Namensdienst antwortet nicht',
  'unreachable-no-route': 'Der Controller{named} ist nicht erreichbar: es führt kein Weg zu ihm',
  'unreachable-timeout':
    'Der Controller{named} ist nicht erreichbar: die Verbindung kam nicht rechtzeitig zustande',
  'unreachable-tls': 'Der Controller{named} ist nicht erreichbar: TLS kam nicht zustande',
  'unreachable-closed': 'Die Verbindung zum Controller{named} ist geschlossen',
  'unreachable-other': 'Der Controller{named} ist nicht erreichbar: die Verbindung kam nicht zustande',
  timeout: 'Der Controller{named} hat nicht rechtzeitig geantwortet',
  'timeout-within': 'Der Controller{named} hat nicht innerhalb von {seconds} s geantwortet',
  disconnected: 'Die Verbindung zum Controller{named} brach ab, bevor er ganz geantwortet hatte',
  'certificate-self-signed':
    'Dem Zertifikat des Controllers{named} wird nicht vertraut: es ist selbst signiert',
  'certificate-unknown-ca':
    'Dem Zertifikat des Controllers{named} wird nicht vertraut: seine Zertifizierungsstelle ist unbekannt',
  'certificate-expired': 'Das Zertifikat des Controllers{named} ist abgelaufen (gültig bis {validTo})',
  'certificate-not-yet-valid':
    'Das Zertifikat des Controllers{named} ist noch nicht gültig (erst ab {validFrom})',
  'certificate-host-name': 'Das Zertifikat des Controllers{named} gilt nicht für seine Adresse',
  'certificate-other': 'Dem Zertifikat des Controllers{named} wird nicht vertraut ({code})',
  'other-certificate': 'Der Controller{named} zeigt ein anderes Zertifikat als das festgelegte',
  'credentials-api-key': 'Der Controller{named} nimmt den API-Schlüssel nicht an{quote}',
  'credentials-client': 'Der Controller{named} nimmt die Client-ID oder das Client-Secret nicht an{quote}',
  'credentials-account':
    'Der Controller{named} hat Benutzer oder Passwort abgelehnt; neuer Versuch frühestens in {seconds} s',
  'two-factor':
    'Das Konto am Controller{named} verlangt einen zweiten Faktor. Bitte am Controller ein lokales Konto ohne zweiten Faktor erstellen, mit der Rolle Hotspot oder Administrator, und dieses verwenden',
  'locked-out':
    'Der Controller{named} lässt nach zu vielen Anmeldungen vorerst keine weitere zu; neuer Versuch in {seconds} s',
  'permission-api-key': 'Der API-Schlüssel für den Controller{named} darf das nicht{quote}',
  'permission-client': 'Die Anwendung am Controller{named} darf das nicht{quote}',
  'permission-account':
    'Das Konto am Controller{named} darf das nicht. Es braucht dort die Rolle Hotspot oder Administrator{quote}',
  'site-unknown': 'Der Controller{named} kennt diesen Standort nicht{quote}',
  'site-not-listed': 'Der Controller{named} kennt den eingestellten Standort nicht',
  'site-several':
    'Der Controller{named} hat mehrere Standorte; es ist nicht eingestellt, welcher gemeint ist',
  'bounds-value': '{field}: {value} nimmt der Controller{named} nicht an, nur {from} bis {to}',
  'bounds-not-kept': '{field}: der Controller{named} kann das nicht begrenzen',
  'bounds-count': 'Der Controller{named} erstellt {from} bis {to} Voucher auf einmal',
  'bounds-unnamed': 'Der Controller{named} hat einen Wert der Bestellung abgelehnt{quote}',
  throttled: 'Der Controller{named} wird zu oft gefragt; bitte {seconds} s warten',
  'circuit-open':
    'Der Controller{named} hat mehrmals hintereinander nicht geantwortet; er wird in {seconds} s wieder geprüft',
  deadline: 'Für den Controller{named} blieb keine Zeit; er wurde nicht gefragt',
  'refused-request': 'Der Controller{named} hat die Anfrage abgelehnt{quote}',
  'refused-order': 'Der Controller{named} hat die Bestellung abgelehnt{quote}',
  'refused-login': 'Der Controller{named} hat die Anmeldung abgelehnt{quote}',
  'refused-session': 'Der Controller{named} verlangt gleich nach der Anmeldung eine neue{quote}',
  'refused-csrf': 'Der Controller{named} nimmt von dieser Anmeldung keine Änderung an (CSRF)',
  'refused-too-old': 'Der Controller{named} ist zu alt: UniFi Network {version}, nötig ist {needed}',
  'refused-no-vouchers':
    'Der Controller{named} kennt an diesem Standort keine Voucher; nötig ist UniFi Network {needed}',
  'unreadable-answer': 'Die Antwort des Controllers{named} ist nicht lesbar{quote}',
  'unreadable-too-large': 'Die Antwort des Controllers{named} ist zu groß{quote}',
  'unreadable-redirect': 'Der Controller{named} schickt an eine andere Adresse weiter{quote}',
  'unreadable-faulty': 'Der Controller{named} ist gestört{quote}',
  'unreadable-starting': 'Der Controller{named} startet gerade oder ist gestört{quote}',
  'unreadable-login':
    'Der Controller{named} startet gerade oder ist gestört: er antwortet nicht auf die Anmeldung{quote}',
  'unreadable-no-session': 'Die Anmeldung am Controller{named} brachte keine Sitzung{quote}',
  'unreadable-no-unifi': 'Unter der Adresse des Controllers{named} antwortet kein UniFi{quote}',
  'unreadable-no-unifi-network':
    'Unter der Adresse des Controllers{named} antwortet kein UniFi Network{quote}',
  'unreadable-no-integration-api':
    'Unter der Adresse des Controllers{named} antwortet keine Integration API; nötig ist UniFi Network {needed}{quote}',
  'unreadable-no-version': 'Der Controller{named} nennt seine Version nicht{quote}',
  'unreadable-list': 'Die Liste des Controllers{named} ist nicht lesbar{quote}',
  'unreadable-list-changing': 'Die Liste des Controllers{named} ändert sich zu schnell{quote}',
  'unreadable-list-incomplete': 'Die Liste des Controllers{named} ist unvollständig{quote}',
  'unreadable-voucher': 'Ein Voucher des Controllers{named} ist nicht lesbar{quote}',
  'unreadable-no-code': 'Der Controller{named} hat einen Voucher ohne Code geliefert{quote}',
  'not-read': 'Der Voucher ist am Controller{named} erstellt, aber nicht gelesen: Fehler',
  'not-read-not-listed':
    'Der Voucher ist am Controller{named} erstellt, aber nicht gelesen: er ist dort noch nicht zu sehen',
  'not-read-cause': 'Der Voucher ist am Controller{named} erstellt, aber nicht gelesen: {cause}',
} as const satisfies FailureTable;
