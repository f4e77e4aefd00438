import { germanCsvHeadings } from './csvHeadings.js';
import type { TextTable } from './en.js';
import { germanFailures } from './failures/de.js';
import { germanNotifications } from './notificationTexts.js';
import { germanSmsReasons } from './smsReasons.js';

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
    'no-starttls':
      'der Mailserver bietet kein STARTTLS an: wählen Sie eine andere Verschlüsselung, etwa TLS von Anfang an mit Port 465',
    'certificate-name':
      'das Zertifikat des Mailservers gilt für einen anderen Namen: geben Sie den Namen ein, den der Anbieter nennt, keine IP-Adresse und keinen anderen Namen',
    'certificate-expired': 'das Zertifikat des Mailservers ist abgelaufen: es muss dort erneuert werden',
    'certificate-early':
      'das Zertifikat des Mailservers gilt noch nicht: prüfen Sie die Uhren beider Rechner',
    'certificate-untrusted':
      'das Zertifikat des Mailservers stammt von keiner Stelle, der dieser Rechner vertraut: NODE_EXTRA_CA_CERTS kann die Datei Ihrer eigenen Stelle nennen',
    'tls-failed':
      'der Mailserver antwortet nicht mit TLS ({code}): Port und Verschlüsselung passen wohl nicht zusammen; TLS von Anfang an hat meist Port 465, STARTTLS Port 587',
    'tls-silent':
      'der Mailserver nimmt die Verbindung an, schließt die Verschlüsselung aber nicht ab: Port und Verschlüsselung passen wohl nicht zusammen; TLS von Anfang an hat meist Port 465, STARTTLS Port 587',
    'no-greeting':
      'der Mailserver nimmt die Verbindung an, meldet sich aber nicht: Port und Verschlüsselung passen wohl nicht zusammen; TLS von Anfang an hat meist Port 465, STARTTLS Port 587',
    'not-confirmed': 'der Mailserver hat die E-Mail nicht bestätigt: vielleicht wurde sie trotzdem gesendet',
    stopping: 'der Dienst wird beendet',
    'voucher-missing': 'diesen Voucher gibt es nicht',
    'voucher-ended': 'der Voucher ist nicht mehr gültig',
    other: 'der Mailserver ist nicht verwendbar ({code})',
    unexpected: 'ein unerwarteter Fehler ist aufgetreten',
    text: '{text}',
  },
  csvHeading: germanCsvHeadings,
  notification: germanNotifications,
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
  failure: germanFailures,
  failureDetail: germanFailures,
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
    permission:
      'Dem Konto am Controller das Recht geben, Voucher zu verwalten: bei UniFi die Rolle Hotspot oder Administrator',
    site: 'Einen anderen Standort wählen',
    bounds: 'Einen anderen Wert wählen',
    throttled: 'Eine Minute warten',
    'circuit-open': 'Herausfinden, warum er ausfällt; er wird von selbst wieder gefragt',
    deadline: 'Herausfinden, warum er langsam ist',
    update: 'UniFi Network aktualisieren, oder die Art „unifi-classic“ wählen',
    refused: 'Tun, was der Controller sagt, oder in seinem Protokoll nachsehen',
    unreadable:
      'Prüfen, ob die Adresse die des Controllers selbst ist, und die Art; startet er gerade, in einer Minute noch einmal versuchen',
    'not-read': 'Den Voucher am Controller suchen',
  },
  advice: {
    'mikrotik-radius':
      'Voucher werden im User Manager erstellt, aber kein Hotspot dieses Routers fragt einen RADIUS-Server. Auf dem Router eingeben, mit einem eigenen Geheimnis:',
    'mikrotik-user-manager':
      'User Manager ist installiert, aber nicht in Betrieb. Voucher werden deshalb als Benutzer des Hotspots erstellt. Um ihn zu verwenden, auf dem Router eingeben:',
    'mikrotik-hotspot':
      'Dieser Router hat keinen Hotspot, an dem Gäste einen Code eingeben könnten. Um einen einzurichten, auf dem Router eingeben:',
    'radius-accounting':
      'Es wurde noch kein Accounting aufgezeichnet: Die Tabelle radacct ist leer. Ohne Accounting zählen Zeit, Geräte und Datenmenge nie. Schalten Sie es an den Access Points ein, und lassen Sie „sql“ im Abschnitt accounting des Servers stehen.',
    'radius-nas':
      'Die Tabelle nas ist leer. Deshalb können Gäste, die online sind, beim Sperren ihres Vouchers nicht getrennt werden. Tragen Sie jeden Access Point mit Adresse und Geheimnis ein.',
    'radius-index':
      'Die Tabelle radacct hat keinen Index für die Namen der Benutzer. Jede Anmeldung und jeder Abgleich liest sie deshalb ganz. In der Datenbank hinzufügen:',
    'radius-engine':
      'Die Tabelle {table} hat die Engine {engine}, die keine Transaktionen kennt: Eine abgebrochene Bestellung kann einen Teil ihrer Voucher zurücklassen. In der Datenbank ändern:',
    'radius-policy': 'Auf dem FreeRADIUS-Server, falls noch nicht geschehen, als {file} speichern:',
    'radius-authorize':
      'In {file} im Abschnitt authorize diese Zeile über „-sql“ oder „sql“ einfügen. „-sql“ oder „sql“ im Abschnitt accounting stehen lassen: Daraus werden Nutzungen und Zeit gezählt.',
    'radius-restart': 'Danach den Server neu starten:',
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
    'order-codes': 'Codes der offenen Bestellung „{name}“',
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
    'order-codes': 'den Dienst mit dem geheimen Schlüssel starten, den er bei der Bestellung hatte',
    'mail-server': 'es auf der Seite E-Mail noch einmal eingeben',
    'identity-provider': 'es auf der Seite Benutzer noch einmal eingeben',
    'sms-provider': 'es auf der Seite SMS noch einmal eingeben',
  },
  finding: {
    'disk-free': '{free} frei',
    'disk-low': 'nur {free} frei',
    'disk-not-writable': 'in {dataDir} kann nicht geschrieben werden{code}',
    clock: '{time}, Zeitzone {zone}',
    'email-off': 'nicht eingerichtet: Voucher lassen sich nicht per E-Mail senden',
    'email-on': 'eingerichtet, über {host}',
    'email-incomplete': 'unvollständig: Absender oder Passwort des Mailservers fehlt',
    'email-unusable': 'eingerichtet, aber {host} nimmt keine E-Mails an: {detail}',
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
    'disk-low': 'auf dem Datenträger von {dataDir} mindestens 200 MB frei machen',
    'disk-not-writable': 'diesen Benutzer in {dataDir} schreiben lassen, oder DATA_DIR setzen',
    'other-user': 'den Befehl als Benutzer des Dienstes ausführen, oder als root',
    clock: 'die Uhr dieses Rechners stellen',
    'email-off':
      'wer das will, richtet auf der Seite E-Mail einen Mailserver ein, oder setzt SMTP_URL und MAIL_FROM',
    'email-incomplete': 'auf der Seite E-Mail ergänzen, oder SMTP_URL und MAIL_FROM setzen',
    'email-unusable': 'SMTP_URL oder die Seite E-Mail prüfen, und dort eine Test-E-Mail senden',
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
    'secrets-not-open':
      'jenen Schlüssel zurücklegen (SECRET_KEY, SECRET_KEY_FILE oder secret.key in DATA_DIR), oder {sealedRemedy}',
    'secrets-unknown':
      'SECRET_KEY oder SECRET_KEY_FILE zurücksetzen, oder secret.key in DATA_DIR zurücklegen',
    controller: 'ihn auf der Seite Controller testen',
    'webhook-switched-off': 'ihn wieder einschalten oder entfernen: {command}',
    'deliveries-failed':
      'nachsehen, was fehlgeschlagen ist, und die Ursache beheben: {list}\nnoch einmal senden, was noch gewollt ist: {resend}',
    'not-checked': 'im Log des Dienstes nachsehen',
  },
} as const satisfies TextTable;
