import type { en } from './en.js';
import { germanSmsReasons } from './smsReasons.js';

/** The same kinds and codes as in English. */
export type TextTable = {
  readonly [Kind in keyof typeof en]: Readonly<Record<keyof (typeof en)[Kind], string>>;
};

/** Why a call of a controller failed. The operator reads the same in German; the log and the command line are English. */
const failure = {
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
  'credentials-account':
    'Der Controller{named} hat Benutzer oder Passwort abgelehnt; neuer Versuch frühestens in {seconds} s',
  'two-factor':
    'Das Konto am Controller{named} verlangt einen zweiten Faktor. Bitte am Controller ein lokales Konto ohne zweiten Faktor erstellen, mit der Rolle Hotspot oder Administrator, und dieses verwenden',
  'locked-out':
    'Der Controller{named} lässt nach zu vielen Anmeldungen vorerst keine weitere zu; neuer Versuch in {seconds} s',
  'permission-api-key': 'Der API-Schlüssel für den Controller{named} darf das nicht{quote}',
  'permission-account':
    'Das Konto am Controller{named} darf das nicht. Es braucht dort die Rolle Hotspot oder Administrator{quote}',
  'site-unknown': 'Der Controller{named} kennt diesen Standort nicht{quote}',
  'site-not-listed': 'Der Controller{named} kennt den eingestellten Standort nicht',
  'site-several':
    'Der Controller{named} hat mehrere Standorte; es ist nicht eingestellt, welcher gemeint ist',
  'bounds-value': '{field}: {value} nimmt der Controller{named} nicht an, nur {from} bis {to}',
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
} as const;

/** What the service says to people in German. */
export const de = {
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
    tls: 'TLS ist fehlgeschlagen: {code}',
    certificate: 'dem Zertifikat wird nicht vertraut: {code}',
    timeout: 'keine Antwort innerhalb von {seconds} s',
    other: 'die Anfrage ist fehlgeschlagen',
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
    'host-refused': 'der Name des Mailservers führt zu einer Adresse, die kein Mailserver hat',
    'not-set-up': 'es gibt keinen Mailserver',
    'recipient-gone': 'sie ist nicht mehr für diesen Benutzer',
    'too-late': 'niemand wartet mehr darauf',
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
  sms: germanSmsReasons,
  order: {
    'not-shown':
      'Der Controller hat {shown} von {count} Vouchern gezeigt. Es wird nachgesehen, welche es gibt; das dauert etwa eine Minute.',
    'only-some': 'Der Controller hat nur {made} von {count} Vouchern erstellt.',
    none: 'Der Controller hat nicht rechtzeitig geantwortet und nichts erstellt.',
    'not-usable': 'Der Controller hat Voucher ohne Code erstellt. Sie wurden gesperrt.',
    'controller-removed':
      'Der Controller wurde entfernt, bevor nachgesehen werden konnte, was er erstellt hat.',
    'too-late': 'Die Bestellung konnte nicht rechtzeitig gespeichert werden. Es wurde nichts erstellt.',
    'taken-by-others':
      'Die Voucher wurden von einem anderen Vorgang erfasst. Es wird nachgesehen, welche es noch gibt.',
    'settings-unusable': 'Die Einstellungen des Controllers sind nicht verwendbar.',
    unexpected: 'Ein unerwarteter Fehler ist aufgetreten.',
  },
  revocation: {
    'controller-removed': 'Der Controller wurde entfernt und kann nicht mehr gefragt werden.',
    'too-late': 'Dafür war keine Zeit mehr. Bitte noch einmal versuchen.',
  },
  quote: {
    none: '',
    said: ' ({said})',
    status: ' (Status {status})',
    'said-status': ' ({said}, Status {status})',
  },
  named: { none: '', name: ' „{name}“' },
  seen: { none: '', fingerprint: '; sein SHA-256-Fingerabdruck ist {fingerprint}' },
  distrust: {
    'self-signed': 'ist selbst signiert',
    'unknown-ca': 'ist von einer unbekannten Zertifizierungsstelle signiert',
    expired: 'ist abgelaufen: es galt bis {validTo}',
    'not-yet-valid': 'gilt noch nicht: es gilt ab {validFrom}',
    'host-name': 'gilt nicht für {host}, sondern für {names}',
    other: 'lässt sich nicht prüfen: {code}',
  },
  failure,
  failureDetail: failure,
  controllerProblem: {
    failed: '{failureDetail}',
    'credentials-sealed':
      'Die gespeicherten Zugangsdaten lassen sich nicht öffnen: sie wurden mit einem anderen Schlüssel oder für eine andere Adresse versiegelt',
    url: 'Die Adresse ist nicht erlaubt: nötig ist eine mit https, ohne Benutzer, Passwort und Parameter, wie https://192.168.1.1',
    fingerprint: 'Der Fingerabdruck ist ungültig: SHA-256 hat 64 hexadezimale Ziffern',
    'ca-file': 'Der Text enthält kein Zertifikat in PEM',
    credentials: 'Zugangsdaten fehlen oder passen nicht zu dieser Art',
    address: 'Diese Art hat keine Adresse',
    trust: 'Entweder ein Fingerabdruck oder eine Zertifizierungsstelle: beides zugleich geht nicht',
    settings: 'Die Einstellungen sind nicht verwendbar',
    unexpected: 'Ein unerwarteter Fehler ist aufgetreten',
  },
  remedy: {
    name: 'Den Namen prüfen, oder statt seiner die IP-Adresse angeben',
    connection: 'Adresse und Port prüfen, ob der Controller läuft, und die Firewall auf dem Weg dorthin',
    timeout: 'Nachsehen, was den Controller beschäftigt, oder ihn neu starten, wenn er hängt',
    disconnected: 'Noch einmal versuchen; kommt es wieder, nach einem Proxy auf dem Weg suchen',
    pin: 'Den Fingerabdruck mit dem vergleichen, den der Controller selbst zeigt, und ihn festlegen, wenn er derselbe ist',
    'unknown-ca': 'Das Zertifikat der Zertifizierungsstelle angeben; oder: {remedy}',
    expired: 'Das Zertifikat am Controller erneuern, und die Uhr dieses Servers prüfen; oder: {remedy}',
    'not-yet-valid': 'Die Uhren des Controllers und dieses Servers prüfen; oder: {remedy}',
    'host-name': 'Eine Adresse verwenden, für die es gilt; oder: {remedy}',
    'other-certificate':
      'Herausfinden, warum es sich geändert hat, und es nur festlegen, wenn der Controller selbst denselben Fingerabdruck zeigt',
    credentials: 'Die Zugangsdaten neu eingeben',
    'two-factor': 'Am Controller ein lokales Konto ohne zweiten Faktor erstellen und dieses verwenden',
    'locked-out': 'Drei Minuten warten und noch einmal versuchen',
    permission: 'Dem Konto am Controller die Rolle Hotspot oder Administrator geben',
    site: 'Einen anderen Standort wählen',
    bounds: 'Einen anderen Wert wählen',
    throttled: 'Eine Minute warten',
    'circuit-open': 'Herausfinden, warum er ausfällt; er wird von selbst wieder gefragt',
    deadline: 'Herausfinden, warum er langsam ist',
    update: 'UniFi Network aktualisieren, oder die Art „unifi-classic“ wählen',
    refused: 'Tun, was der Controller sagt, oder in seinem Protokoll nachsehen',
    unreadable:
      'Prüfen, ob die Adresse die der Konsole selbst ist, und die Art; startet sie gerade, in einer Minute noch einmal versuchen',
    'not-read': 'Den Voucher am Controller suchen',
  },
  connectionTest: {
    endpoint: '{address}, Port {port}',
    addresses: '{addresses}',
    system: 'Das System vertraut ihm',
    'own-ca': 'Die angegebene Zertifizierungsstelle hat es signiert',
    pinned: 'Es ist das festgelegte',
  },
  duration: { seconds: '{count} s', minutes: '{count} min', hours: '{count} h', days: '{count} Tage' },
  demoValidity: {
    'for-ever': 'für immer',
    until: 'bis {time}, wenn keine laufende Demo ihn verlängert',
  },
  sealed: {
    webhook: 'Webhook "{name}"',
    controller: 'Controller "{name}"',
    'second-factor': 'zweiter Faktor von "{name}"',
    wifi: 'WLAN-Passwort des Standorts {site}',
    'mail-server': 'Passwort des Mailservers',
    'identity-provider': 'Client-Secret des Identitätsanbieters',
    'sms-provider': 'Geheimnis des SMS-Anbieters',
  },
  sealedRemedy: {
    webhook: 'den Webhook entfernen',
    controller:
      'ihm seine Zugangsdaten noch einmal geben: {command} (vorher prüfen, ob seine Adresse stimmt: {address})',
    'controller-without-address':
      'ihm seine Zugangsdaten noch einmal geben: {command} (vorher prüfen, ob seine Adresse stimmt: keine)',
    'second-factor': 'ihn neu einrichten lassen: {command}',
    wifi: 'das WLAN-Passwort auf der Seite Standorte neu eingeben',
    'mail-server': 'es auf der Seite E-Mail noch einmal eingeben',
    'identity-provider': 'es auf der Seite Benutzer noch einmal eingeben',
    'sms-provider': 'es auf der Seite SMS noch einmal eingeben',
  },
  finding: {
    'disk-free': '{free} MiB frei',
    'disk-low': 'nur {free} MiB frei',
    'disk-not-writable': 'in {dataDir} kann nicht geschrieben werden{code}',
    clock: '{time}, Zeitzone {zone}',
    'email-off': 'nicht eingerichtet: Voucher lassen sich nicht per E-Mail senden',
    'email-on': 'eingerichtet, über {host}',
    'email-incomplete': 'unvollständig: Absender oder Passwort des Mailservers fehlt',
    'sms-off': 'nicht eingerichtet: Voucher lassen sich nicht per SMS senden',
    'sms-on': 'eingerichtet, über {host}',
    'sms-failed': 'eingerichtet, über {host}; zuletzt fehlgeschlagen um {time}: {sms}',
    'sms-incomplete': 'unvollständig: Das Geheimnis des Anbieters fehlt',
    'single-sign-on-off': 'nicht eingerichtet: Benutzer melden sich mit einem Passwort an',
    'single-sign-on-on': 'eingerichtet, bei {host}',
    'single-sign-on-unusable': 'eingerichtet, aber bei {host} kann sich niemand anmelden: {detail}',
    'single-sign-on-incomplete': 'unvollständig: Niemand kann sich damit anmelden',
    'files-closed': 'kein anderer Benutzer dieses Rechners kann die Dateien öffnen',
    'files-open': 'jeder Benutzer dieses Rechners kann diese Dateien öffnen: {files}',
    'files-none': 'es gibt noch keine Dateien: nichts in {dataDir}',
    'files-hidden':
      'dieser Benutzer darf hier nicht nachsehen, also ist nicht bekannt, wer die Dateien öffnen kann: {files}',
    'files-not-usable':
      'dieser Benutzer kann diese Dateien nicht öffnen, und außer ihrem Eigentümer auch sonst niemand: {files}',
    'keys-valid': '{count} gültig',
    'keys-none': 'keine',
    'sites-active': '{count} aktiv',
    'sites-none': 'keiner aktiv',
    'demo-key': 'der Schlüssel {prefix} einer Demo gilt {demoValidity}',
    'demo-key-on-all-sites': 'der Schlüssel {prefix} einer Demo gilt {demoValidity}, auf allen Standorten',
    'demo-key-on-real-sites':
      'der Schlüssel {prefix} einer Demo gilt {demoValidity}, auf allen Standorten, auch auf denen echter Controller',
    'intents-none': 'keine offen',
    'intents-open': '{count} offen, die älteste seit {duration}',
    'intents-overdue': '{count} offen, die älteste seit {duration}, also länger als {limit}',
    'secrets-earlier-form': 'einige haben die Form einer früheren Version',
    'secrets-open': 'alle gespeicherten lassen sich entschlüsseln',
    'secrets-not-open': 'mit einem anderen Schlüssel oder für eine andere Adresse versiegelt: {sealed}',
    'secrets-unknown':
      'sie ließen sich nicht prüfen: der geheime Schlüssel oder die Datenbank ist nicht lesbar',
    'controller-answers': 'antwortet',
    'controller-not-asked': 'noch nicht gefragt',
    'controller-silent': 'antwortet nicht',
    'controller-failing': '{controllerProblem}',
    'webhook-switched-off': '{name} wurde abgeschaltet: {attempt}',
    'delivery-failed':
      '1 Zustellung in den letzten 7 Tagen endgültig fehlgeschlagen, zuletzt an {name} um {time}: {attempt}',
    'deliveries-failed':
      '{count} Zustellungen in den letzten 7 Tagen endgültig fehlgeschlagen, zuletzt an {name} um {time}: {attempt}',
    'deliveries-waiting': 'Zustellungen an {name} warten seit {duration}, nach {tries} Versuchen: {attempt}',
    'webhooks-fine': 'alle funktionieren',
    'not-checked': 'ließ sich nicht prüfen',
  },
  findingRemedy: {
    command: '{command}',
    'disk-low': 'auf dem Datenträger von {dataDir} mindestens 200 MiB frei machen',
    'disk-not-writable': 'diesen Benutzer in {dataDir} schreiben lassen, oder DATA_DIR setzen',
    'other-user': 'den Befehl als Benutzer des Dienstes ausführen, oder als root',
    clock: 'die Uhr dieses Rechners stellen',
    'email-off':
      'wer das will, richtet auf der Seite E-Mail einen Mailserver ein, oder setzt SMTP_URL und MAIL_FROM',
    'email-incomplete': 'auf der Seite E-Mail ergänzen, oder SMTP_URL und MAIL_FROM setzen',
    'sms-off': 'wer das will, richtet auf der Seite SMS einen Anbieter ein, oder setzt SMS_PROVIDER',
    'sms-incomplete': 'das Geheimnis auf der Seite SMS eintragen',
    'single-sign-on-off':
      'wer das will, richtet es auf der Seite Benutzer ein, oder setzt OIDC_ISSUER, OIDC_CLIENT_ID und OIDC_CLIENT_SECRET',
    'single-sign-on-incomplete':
      'auf der Seite Benutzer ergänzen, die sagt, was fehlt, oder die Variablen OIDC_… setzen',
    'single-sign-on-unusable':
      'auf der Seite Benutzer testen; wer ein Passwort hat, kann sich weiterhin anmelden',
    'demo-key': 'die Demo beenden, und: {command}',
    intents: 'der Dienst klärt sie, solange er läuft und ihren Controller erreicht: siehe dort',
    'unbound-secrets': 'alle Dienste jener Version beenden, und dann: {command}',
    'restored-secrets':
      'wurde eine Kopie der Datenbank zurückgespielt, zuerst {file} entfernen, und dann: {command}',
    'secrets-not-open':
      'jenen Schlüssel zurücklegen (SECRET_KEY, SECRET_KEY_FILE oder secret.key in DATA_DIR), oder {sealedRemedy}',
    'secrets-unknown':
      'SECRET_KEY oder SECRET_KEY_FILE zurücksetzen, oder secret.key in DATA_DIR zurücklegen',
    controller: 'ihn auf der Seite Controller testen',
    'webhook-switched-off': '{command}, oder ihn entfernen',
    'deliveries-failed':
      'nachsehen, was fehlgeschlagen ist, und die Ursache beheben: {list}\nnoch einmal senden, was noch gewollt ist: {resend}',
    'not-checked': 'im Log des Dienstes nachsehen',
  },
} as const satisfies TextTable;
