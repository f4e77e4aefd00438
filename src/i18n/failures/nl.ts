import type { FailureTable } from './en.js';

/**
 * Why a call of a controller failed. The operator reads the same in Dutch; the log and the command line are
 * English.
 */
export const dutchFailures = {
  'unreachable-refused': 'De controller{named} is niet bereikbaar: de verbinding is geweigerd',
  'unreachable-reset': 'De controller{named} is niet bereikbaar: de verbinding is verbroken',
  'unreachable-unknown-host': 'De controller{named} is niet bereikbaar: de naam is onbekend',
  'unreachable-name-service': 'De controller{named} is niet bereikbaar: de naamserver antwoordt niet',
  'unreachable-no-route': 'De controller{named} is niet bereikbaar: er is geen route naartoe',
  'unreachable-timeout': 'De controller{named} is niet bereikbaar: de verbinding kwam niet op tijd tot stand',
  'unreachable-tls': 'De controller{named} is niet bereikbaar: TLS kwam niet tot stand',
  'unreachable-closed': 'De verbinding met de controller{named} is gesloten',
  'unreachable-other': 'De controller{named} is niet bereikbaar: de verbinding kwam niet tot stand',
  timeout: 'De controller{named} heeft niet op tijd geantwoord',
  'timeout-within': 'De controller{named} heeft niet binnen {seconds} s geantwoord',
  disconnected: 'De verbinding met de controller{named} werd verbroken voordat het antwoord compleet was',
  'certificate-self-signed':
    'Het certificaat van de controller{named} wordt niet vertrouwd: het is zelfondertekend',
  'certificate-unknown-ca':
    'Het certificaat van de controller{named} wordt niet vertrouwd: de certificeringsinstantie is onbekend',
  'certificate-expired': 'Het certificaat van de controller{named} is verlopen (geldig tot {validTo})',
  'certificate-not-yet-valid':
    'Het certificaat van de controller{named} is nog niet geldig (pas vanaf {validFrom})',
  'certificate-host-name': 'Het certificaat van de controller{named} geldt niet voor het adres ervan',
  'certificate-other': 'Het certificaat van de controller{named} wordt niet vertrouwd ({code})',
  'other-certificate': 'De controller{named} toont een ander certificaat dan het vastgelegde',
  'credentials-api-key': 'De controller{named} accepteert de API-sleutel niet{quote}',
  'credentials-client': 'De controller{named} accepteert de client-ID of het clientgeheim niet{quote}',
  'credentials-account':
    'De controller{named} heeft gebruiker of wachtwoord geweigerd; nieuwe poging op zijn vroegst over {seconds} s',
  'two-factor':
    'Het account op de controller{named} vraagt om een tweede factor. Maak op de controller een lokaal account zonder tweede factor aan, met de rol hotspot of beheerder, en gebruik dat',
  'locked-out':
    'De controller{named} laat na te veel aanmeldingen voorlopig geen nieuwe toe; nieuwe poging over {seconds} s',
  'permission-api-key': 'De API-sleutel voor de controller{named} mag dit niet{quote}',
  'permission-client': 'De applicatie op de controller{named} mag dit niet{quote}',
  'permission-account':
    'Het account op de controller{named} mag dit niet. Het heeft daar de rol hotspot of beheerder nodig{quote}',
  'site-unknown': 'De controller{named} kent deze locatie niet{quote}',
  'site-not-listed': 'De controller{named} kent de ingestelde locatie niet',
  'site-several': 'De controller{named} heeft meerdere locaties; er is niet ingesteld welke wordt bedoeld',
  'bounds-value': '{field}: {value} accepteert de controller{named} niet, alleen {from} t/m {to}',
  'bounds-not-kept': '{field}: de controller{named} kan dit niet begrenzen',
  'bounds-count': 'De controller{named} maakt {from} t/m {to} vouchers tegelijk aan',
  'bounds-unnamed': 'De controller{named} heeft een waarde van de bestelling geweigerd{quote}',
  throttled: 'De controller{named} wordt te vaak geraadpleegd; wacht {seconds} s',
  'circuit-open':
    'De controller{named} heeft meerdere keren achter elkaar niet geantwoord; over {seconds} s wordt het opnieuw geprobeerd',
  deadline: 'Voor de controller{named} was geen tijd meer; hij is niet geraadpleegd',
  'refused-request': 'De controller{named} heeft het verzoek geweigerd{quote}',
  'refused-order': 'De controller{named} heeft de bestelling geweigerd{quote}',
  'refused-login': 'De controller{named} heeft de aanmelding geweigerd{quote}',
  'refused-session': 'De controller{named} vraagt meteen na de aanmelding om een nieuwe{quote}',
  'refused-csrf': 'De controller{named} accepteert van deze aanmelding geen wijzigingen (CSRF)',
  'refused-too-old': 'De controller{named} is te oud: UniFi Network {version}, nodig is {needed}',
  'refused-no-vouchers':
    'De controller{named} kent op deze locatie geen vouchers; nodig is UniFi Network {needed}',
  'unreadable-answer': 'Het antwoord van de controller{named} is niet leesbaar{quote}',
  'unreadable-too-large': 'Het antwoord van de controller{named} is te groot{quote}',
  'unreadable-redirect': 'De controller{named} verwijst door naar een ander adres{quote}',
  'unreadable-faulty': 'De controller{named} heeft een storing{quote}',
  'unreadable-starting': 'De controller{named} start op of heeft een storing{quote}',
  'unreadable-login':
    'De controller{named} start op of heeft een storing: hij antwoordt niet op de aanmelding{quote}',
  'unreadable-no-session': 'De aanmelding bij de controller{named} leverde geen sessie op{quote}',
  'unreadable-no-unifi': 'Op het adres van de controller{named} antwoordt geen UniFi{quote}',
  'unreadable-no-unifi-network': 'Op het adres van de controller{named} antwoordt geen UniFi Network{quote}',
  'unreadable-no-integration-api':
    'Op het adres van de controller{named} antwoordt geen Integration API; nodig is UniFi Network {needed}{quote}',
  'unreadable-no-version': 'De controller{named} noemt zijn versie niet{quote}',
  'unreadable-list': 'De lijst van de controller{named} is niet leesbaar{quote}',
  'unreadable-list-changing': 'De lijst van de controller{named} verandert te snel{quote}',
  'unreadable-list-incomplete': 'De lijst van de controller{named} is onvolledig{quote}',
  'unreadable-voucher': 'Een voucher van de controller{named} is niet leesbaar{quote}',
  'unreadable-no-code': 'De controller{named} heeft een voucher zonder code aangemaakt{quote}',
  'not-read': 'De voucher is op de controller{named} aangemaakt, maar kon niet worden gelezen: fout',
  'not-read-not-listed':
    'De voucher is op de controller{named} aangemaakt, maar kon niet worden gelezen: hij staat nog niet in de lijst',
  'not-read-cause': 'De voucher is op de controller{named} aangemaakt, maar kon niet worden gelezen: {cause}',
} as const satisfies FailureTable;
