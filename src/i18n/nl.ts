import { dutchCsvHeadings } from './csvHeadings.js';
import type { TextTable } from './en.js';
import { dutchFailures } from './failures/nl.js';
import { dutchNotifications } from './notificationTexts.js';
import { dutchSmsReasons } from './smsReasons.js';

/** What the service says to people in Dutch. */
export const nl = {
  addressKind: {
    unspecified: 'een niet nader bepaald adres',
    loopback: 'een adres van deze computer zelf',
    private: 'een privéadres',
    'link-local': 'een adres alleen voor het lokale netwerk',
    provider: 'een adres in het netwerk van een provider',
    cloud: 'een adres in het netwerk van een cloud',
    documentation: 'een adres voor voorbeelden',
    benchmark: 'een adres voor metingen',
    multicast: 'een multicastadres',
    reserved: 'een gereserveerd adres',
    'ipv4-in-ipv6': 'een IPv4-adres in IPv6',
    'this-machine': 'deze computer',
    none: 'geen adres',
  },
  attempt: {
    redirected: 'heeft met {status} geantwoord, een omleiding',
    answered: 'heeft met {status} geantwoord',
    'answered-code': 'heeft met {status} geantwoord ({code})',
    throttled: 'neemt op dit moment niets meer aan (429)',
    refused: 'verbinding geweigerd',
    reset: 'verbinding verbroken',
    'unknown-host': 'de naam bestaat niet',
    'name-service': 'de naamserver antwoordt niet',
    unreachable: 'niet bereikbaar',
    'no-connection': 'geen verbinding',
    'no-http': 'het antwoord is geen HTTP',
    tls: 'TLS is mislukt: {code}',
    certificate: 'het certificaat wordt niet vertrouwd: {code}',
    timeout: 'geen antwoord binnen {seconds} s',
    other: 'het verzoek is mislukt',
    'address-internal': '{host} is {addressKind}; zet het in WEBHOOK_ALLOW_PRIVATE om het toe te staan',
    'name-internal':
      '{host} leidt naar {address}, dat is {addressKind}; zet het in WEBHOOK_ALLOW_PRIVATE om het toe te staan',
    'address-malformed': 'geen adres van de vorm https://host/pad',
    'address-protocol': 'alleen https:// en http:// zijn toegestaan',
    'address-credentials': 'een gebruikersnaam of wachtwoord in het adres is niet toegestaan',
    text: '{text}',
  },
  email: {
    credentials: 'de mailserver accepteert de inloggegevens niet',
    answered: 'antwoord van de mailserver: {answer}',
    'no-answer': 'de mailserver antwoordt niet',
    'unknown-host': 'de naam van de mailserver kan niet worden omgezet in een adres',
    'host-refused': 'de naam van de mailserver leidt naar een adres dat geen mailserver heeft',
    'not-set-up': 'er is geen mailserver',
    'recipient-gone': 'de e-mail is niet meer voor deze gebruiker',
    'too-late': 'niemand wacht er nog op',
    'no-connection': 'geen verbinding met de mailserver ({code})',
    disconnected: 'de mailserver heeft de verbinding verbroken',
    tls: 'geen versleutelde verbinding met de mailserver ({code})',
    'no-starttls':
      'de mailserver biedt geen STARTTLS aan: kies een andere versleuteling, bijvoorbeeld TLS vanaf het begin met poort 465',
    'certificate-name':
      'het certificaat van de mailserver is voor een andere naam: vul de naam in die de aanbieder noemt, geen IP-adres en geen andere naam',
    'certificate-expired': 'het certificaat van de mailserver is verlopen: het moet daar worden vernieuwd',
    'certificate-early':
      'het certificaat van de mailserver is nog niet geldig: controleer de klokken van beide machines',
    'certificate-untrusted':
      'het certificaat van de mailserver is niet uitgegeven door een instantie die deze machine kent: NODE_EXTRA_CA_CERTS kan het bestand van uw eigen instantie noemen',
    'tls-failed':
      'de mailserver antwoordt niet met TLS ({code}): poort en versleuteling horen waarschijnlijk niet bij elkaar; TLS vanaf het begin gebruikt meestal poort 465, STARTTLS poort 587',
    'tls-silent':
      'de mailserver accepteert de verbinding, maar rondt de versleuteling niet af: poort en versleuteling horen waarschijnlijk niet bij elkaar; TLS vanaf het begin gebruikt meestal poort 465, STARTTLS poort 587',
    'no-greeting':
      'de mailserver accepteert de verbinding, maar meldt zich niet: poort en versleuteling horen waarschijnlijk niet bij elkaar; TLS vanaf het begin gebruikt meestal poort 465, STARTTLS poort 587',
    'not-confirmed': 'de mailserver heeft de e-mail niet bevestigd: misschien is die toch verzonden',
    stopping: 'de dienst wordt gestopt',
    'voucher-missing': 'deze voucher bestaat niet',
    'voucher-ended': 'de voucher is niet meer geldig',
    other: 'de mailserver is niet bruikbaar ({code})',
    unexpected: 'er is een onverwachte fout opgetreden',
    text: '{text}',
  },
  csvHeading: dutchCsvHeadings,
  notification: dutchNotifications,
  sms: dutchSmsReasons,
  order: {
    'not-shown':
      'De controller heeft {shown} van {count} vouchers getoond. Er wordt nagegaan welke er zijn; dat duurt ongeveer een minuut.',
    'only-some': 'De controller heeft maar {made} van {count} vouchers aangemaakt.',
    none: 'De controller heeft niet op tijd geantwoord en niets aangemaakt.',
    'not-usable': 'De controller heeft vouchers zonder code aangemaakt. Ze zijn geblokkeerd.',
    'controller-removed': 'De controller is verwijderd voordat kon worden nagegaan wat hij heeft aangemaakt.',
    'too-late': 'De bestelling kon niet op tijd worden opgeslagen. Er is niets aangemaakt.',
    'taken-by-others':
      'De vouchers zijn voor een andere bestelling vastgelegd. Er wordt nagegaan welke er nog zijn.',
    'settings-unusable': 'De instellingen van de controller zijn niet bruikbaar.',
    unexpected: 'Er is een onverwachte fout opgetreden.',
  },
  revocation: {
    'controller-removed': 'De controller is verwijderd en kan niet meer worden geraadpleegd.',
    'too-late': 'Daar was geen tijd meer voor. Probeer het opnieuw.',
  },
  quote: {
    none: '',
    said: ' (‘{said}’)',
    status: ' (status {status})',
    'said-status': ' (‘{said}’, status {status})',
  },
  named: { none: '', name: ' ‘{name}’' },
  seen: { none: '', fingerprint: '; de SHA-256-vingerafdruk is {fingerprint}' },
  distrust: {
    'self-signed': 'is zelfondertekend',
    'unknown-ca': 'is door een onbekende certificeringsinstantie ondertekend',
    expired: 'is verlopen: het was geldig tot {validTo}',
    'not-yet-valid': 'is nog niet geldig: het is geldig vanaf {validFrom}',
    'host-name': 'geldt niet voor {host}, maar voor {names}',
    other: 'kan niet worden gecontroleerd: {code}',
  },
  failure: dutchFailures,
  failureDetail: dutchFailures,
  controllerProblem: {
    failed: '{failureDetail}',
    'credentials-sealed':
      'De opgeslagen inloggegevens kunnen niet worden geopend: ze zijn met een andere sleutel of voor een ander adres verzegeld',
    url: 'Het adres is niet toegestaan: nodig is een adres met https, zonder gebruiker, wachtwoord en parameters, zoals https://192.168.1.1',
    fingerprint: 'De vingerafdruk is niet geldig: SHA-256 heeft 64 hexadecimale cijfers',
    'ca-file': 'De tekst bevat geen certificaat in PEM-formaat',
    credentials: 'Inloggegevens ontbreken of passen niet bij deze soort',
    address: 'Deze soort heeft geen adres',
    trust: 'Een vingerafdruk of een certificeringsinstantie: beide tegelijk kan niet',
    settings: 'De instellingen zijn niet bruikbaar',
    unexpected: 'Er is een onverwachte fout opgetreden',
  },
  remedy: {
    name: 'Controleer de naam of geef in plaats daarvan het IP-adres op',
    connection:
      'Controleer het adres en de poort, of de controller draait en of een firewall de verbinding blokkeert',
    timeout: 'Ga na wat de controller bezighoudt, of start hem opnieuw als hij vastzit',
    disconnected: 'Probeer het opnieuw; gebeurt het weer, zoek dan naar een proxy onderweg',
    pin: 'Vergelijk de vingerafdruk met die van de controller zelf en leg hem vast als hij dezelfde is',
    'unknown-ca': 'Geef het certificaat van de certificeringsinstantie op; of: {remedy}',
    expired: 'Vernieuw het certificaat op de controller en controleer de klok van deze server; of: {remedy}',
    'not-yet-valid': 'Controleer de klokken van de controller en van deze server; of: {remedy}',
    'host-name': 'Gebruik een adres waarvoor het geldt; of: {remedy}',
    'other-certificate':
      'Ga na waarom het is veranderd en leg het alleen vast als de controller zelf dezelfde vingerafdruk toont',
    credentials: 'Voer de inloggegevens opnieuw in',
    'two-factor': 'Maak op de controller een lokaal account zonder tweede factor aan en gebruik dat',
    'locked-out': 'Wacht drie minuten en probeer het opnieuw',
    permission:
      'Geef het account op de controller het recht om vouchers te beheren: bij UniFi de rol hotspot of beheerder',
    site: 'Kies een andere locatie',
    bounds: 'Kies een andere waarde',
    throttled: 'Wacht een minuut',
    'circuit-open': 'Ga na waarom hij uitvalt; het wordt automatisch opnieuw geprobeerd',
    deadline: 'Ga na waarom hij traag is',
    update: 'Werk UniFi Network bij of kies de soort ‘unifi-classic’',
    refused: 'Doe wat de controller zegt of kijk in de log ervan',
    unreadable:
      'Controleer of het adres dat van de controller zelf is, en de soort; start die net op, probeer het dan over een minuut opnieuw',
    'not-read': 'Zoek de voucher op de controller',
  },
  advice: {
    'mikrotik-radius':
      'Vouchers worden in User Manager aangemaakt, maar geen hotspot van deze router vraagt een RADIUS-server. Voer op de router in, met een eigen geheim:',
    'mikrotik-user-manager':
      'User Manager is geïnstalleerd maar niet in gebruik, dus worden vouchers als gebruikers van de hotspot aangemaakt. Om hem te gebruiken, voer op de router in:',
    'mikrotik-hotspot':
      'Deze router heeft geen hotspot waar gasten een code kunnen intypen. Om er een in te richten, voer op de router in:',
    'radius-accounting':
      'Er is nog geen accounting vastgelegd: de tabel radacct is leeg. Zonder accounting tellen tijd, apparaten en datavolume nooit. Schakel het in op de accesspoints en laat "sql" in de sectie accounting van de server staan.',
    'radius-nas':
      'De tabel nas is leeg, dus gasten die online zijn kunnen niet worden verbroken als hun voucher wordt geblokkeerd. Voeg elk accesspoint toe met adres en geheim.',
    'radius-index':
      'De tabel radacct heeft geen index op de gebruikersnamen, dus elke aanmelding en elke synchronisatie leest haar helemaal. Voeg er een toe in de database:',
    'radius-engine':
      'De tabel {table} gebruikt de engine {engine}, die geen transacties kent: een afgebroken bestelling kan een deel van haar vouchers achterlaten. Wijzig dat in de database:',
    'radius-policy': 'Sla dit op de FreeRADIUS-server, als dat nog niet is gebeurd, op als {file}:',
    'radius-authorize':
      'Voeg in {file}, in de sectie authorize, deze regel toe boven "-sql" of "sql". Laat "-sql" of "sql" in de sectie accounting staan: daaruit worden gebruik en tijd geteld.',
    'radius-restart': 'Herstart daarna de server:',
  },
  connectionTest: {
    endpoint: '{address}, poort {port}',
    addresses: '{addresses}',
    system: 'Het systeem vertrouwt het',
    'own-ca': 'De opgegeven certificeringsinstantie heeft het ondertekend',
    pinned: 'Het is het vastgelegde',
  },
  duration: { seconds: '{count} s', minutes: '{count} min', hours: '{count} u', days: '{count} dagen' },
  demoValidity: {
    'for-ever': 'voor altijd',
    until: 'tot {time}, als geen lopende demo hem verlengt',
  },
  sealed: {
    webhook: 'webhook ‘{name}’',
    controller: 'controller ‘{name}’',
    'second-factor': 'tweede factor van ‘{name}’',
    wifi: 'wifi-wachtwoord van de locatie {site}',
    'order-codes': 'codes van de openstaande bestelling ‘{name}’',
    'mail-server': 'wachtwoord van de mailserver',
    'identity-provider': 'clientgeheim van de identiteitsprovider',
    'sms-provider': 'geheim van de sms-aanbieder',
  },
  sealedRemedy: {
    webhook: 'verwijder de webhook',
    controller:
      'geef de inloggegevens opnieuw op: {command} (controleer eerst of het adres klopt: {address})',
    'controller-without-address':
      'geef de inloggegevens opnieuw op: {command} (controleer eerst of het adres klopt: geen)',
    'second-factor': 'laat hem opnieuw instellen: {command}',
    wifi: 'voer het wifi-wachtwoord opnieuw in op de pagina Locaties',
    'order-codes': 'start de dienst met de geheime sleutel die hij bij de bestelling had',
    'mail-server': 'voer het opnieuw in op de pagina E-mail',
    'identity-provider': 'voer het opnieuw in op de pagina Gebruikers',
    'sms-provider': 'voer het opnieuw in op de pagina Sms',
  },
  finding: {
    'disk-free': '{free} vrij',
    'disk-low': 'maar {free} vrij',
    'disk-not-writable': 'in {dataDir} kan niet worden geschreven{code}',
    clock: '{time}, tijdzone {zone}',
    'email-off': 'niet ingesteld: vouchers kunnen niet per e-mail worden verzonden',
    'email-on': 'ingesteld, via {host}',
    'email-incomplete': 'onvolledig: afzender of wachtwoord van de mailserver ontbreekt',
    'email-unusable': 'ingesteld, maar {host} is niet te gebruiken: {detail}',
    'sms-off': 'niet ingesteld: vouchers kunnen niet per sms worden verzonden',
    'sms-on': 'ingesteld, via {host}',
    'sms-failed': 'ingesteld, via {host}; laatst mislukt om {time}: {sms}',
    'sms-incomplete': 'onvolledig: het geheim van de aanbieder ontbreekt',
    'single-sign-on-off': 'niet ingesteld: gebruikers melden zich aan met een wachtwoord',
    'single-sign-on-on': 'ingesteld, bij {host}',
    'single-sign-on-unusable': 'ingesteld, maar bij {host} kan niemand zich aanmelden: {detail}',
    'single-sign-on-incomplete': 'onvolledig: niemand kan zich ermee aanmelden',
    'files-closed': 'geen andere gebruiker van deze computer kan de bestanden openen',
    'files-open': 'elke gebruiker van deze computer kan deze bestanden openen: {files}',
    'files-none': 'er zijn nog geen bestanden: niets in {dataDir}',
    'files-hidden':
      'deze gebruiker mag dit niet bekijken, dus is niet bekend wie de bestanden kan openen: {files}',
    'files-not-usable':
      'deze gebruiker kan deze bestanden niet openen, en behalve de eigenaar ook niemand anders: {files}',
    'keys-valid': '{count} geldig',
    'keys-none': 'geen',
    'sites-active': '{count} actief',
    'sites-none': 'geen actieve',
    'demo-key': 'de sleutel {prefix} van een demo is geldig {demoValidity}',
    'demo-key-on-all-sites': 'de sleutel {prefix} van een demo is geldig {demoValidity}, op alle locaties',
    'demo-key-on-real-sites':
      'de sleutel {prefix} van een demo is geldig {demoValidity}, op alle locaties, ook op die van echte controllers',
    'intents-none': 'geen',
    'intents-open': '{count} open, de oudste al {duration}',
    'intents-overdue': '{count} open, de oudste al {duration}, dus langer dan {limit}',
    'secrets-open': 'alle opgeslagen geheimen kunnen worden ontsleuteld',
    'secrets-not-open': 'met een andere sleutel of voor een ander adres verzegeld: {sealed}',
    'secrets-unknown':
      'ze konden niet worden gecontroleerd: de geheime sleutel of de database is niet leesbaar',
    'controller-answers': 'antwoordt',
    'controller-not-asked': 'nog niet geraadpleegd',
    'controller-silent': 'antwoordt niet',
    'controller-failing': '{controllerProblem}',
    'webhook-switched-off': '{name} is uitgeschakeld: {attempt}',
    'delivery-failed': '1 bezorging in de laatste 7 dagen definitief mislukt, aan {name}, {time}: {attempt}',
    'deliveries-failed':
      '{count} bezorgingen in de laatste 7 dagen definitief mislukt, de laatste aan {name}, {time}: {attempt}',
    'deliveries-waiting': 'bezorgingen aan {name} wachten al {duration}, na {tries} pogingen: {attempt}',
    'webhooks-fine': 'ze werken allemaal',
    'not-checked': 'kon niet worden gecontroleerd',
  },
  findingRemedy: {
    'disk-low': 'maak op de schijf van {dataDir} ten minste 200 MB vrij',
    'disk-not-writable': 'laat deze gebruiker in {dataDir} schrijven, of stel DATA_DIR in',
    'other-user': 'voer de opdracht uit als de gebruiker van de dienst, of als root',
    clock: 'zet de klok van deze computer gelijk',
    'email-off':
      'stel op de pagina E-mail een mailserver in om e-mails te verzenden, of stel SMTP_URL en MAIL_FROM in',
    'email-incomplete': 'vul het aan op de pagina E-mail, of stel SMTP_URL en MAIL_FROM in',
    'email-unusable': 'controleer SMTP_URL of de pagina E-mail, en verzend daar een test-e-mail',
    'sms-off': 'stel op de pagina Sms een aanbieder in om sms’en te verzenden, of stel SMS_PROVIDER in',
    'sms-incomplete': 'voer het geheim in op de pagina Sms',
    'single-sign-on-off':
      'stel het in op de pagina Gebruikers om het te gebruiken, of stel OIDC_ISSUER, OIDC_CLIENT_ID en OIDC_CLIENT_SECRET in',
    'single-sign-on-incomplete':
      'vul het aan op de pagina Gebruikers, waar staat wat ontbreekt, of stel de variabelen OIDC_… in',
    'single-sign-on-unusable':
      'test het op de pagina Gebruikers; een gebruiker met een wachtwoord kan zich nog steeds aanmelden',
    'demo-key': 'stop de demo, en daarna: {command}',
    intents: 'de dienst handelt ze af zolang hij draait en hun controller bereikt: zie daar',
    'secrets-not-open':
      'zet die sleutel terug (SECRET_KEY, SECRET_KEY_FILE of secret.key in DATA_DIR), of {sealedRemedy}',
    'secrets-unknown': 'zet SECRET_KEY, SECRET_KEY_FILE of secret.key in DATA_DIR terug',
    controller: 'test hem op de pagina Controllers',
    'webhook-switched-off': 'schakel hem weer in of verwijder hem: {command}',
    'deliveries-failed':
      'kijk wat er is mislukt en verhelp de oorzaak: {list}\nverzend opnieuw wat nog nodig is: {resend}',
    'not-checked': 'kijk in de log van de dienst',
  },
} as const satisfies TextTable;
