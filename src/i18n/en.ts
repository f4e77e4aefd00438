import { englishAccountEmails } from './englishAccountEmails.js';
import { englishFailureDetails, englishFailures } from './englishFailures.js';

/**
 * What the service says to people in English, by kind. Braces hold values.
 * The other languages have the same kinds and codes, each in a file of texts/.
 */
export const en = {
  /** Addresses that are not public. */
  addressKind: {
    unspecified: 'an unspecified address',
    loopback: 'a loopback address',
    private: 'a private address',
    'link-local': 'a link-local address',
    provider: "an address inside a provider's network",
    cloud: "an address inside a cloud's network",
    documentation: 'an address for documentation',
    benchmark: 'an address for benchmarks',
    multicast: 'a multicast address',
    reserved: 'a reserved address',
    'ipv4-in-ipv6': 'an IPv4 address inside IPv6',
    'this-machine': 'this machine',
    none: 'no address',
  },
  /** Why a delivery attempt failed, or an address of a webhook is refused. */
  attempt: {
    redirected: 'answered {status}, a redirect',
    answered: 'answered {status}',
    'answered-code': 'answered {status} ({code})',
    throttled: 'throttled (429)',
    refused: 'connection refused',
    reset: 'connection reset',
    'unknown-host': 'name not found',
    'name-service': 'name server without an answer',
    unreachable: 'host not reachable',
    'no-connection': 'no connection',
    'no-http': 'the answer is not HTTP',
    tls: 'TLS failed: {code}',
    certificate: 'certificate not trusted: {code}',
    timeout: 'no answer within {seconds} s',
    other: 'request failed',
    'address-internal': '{host} is {addressKind}; list it in WEBHOOK_ALLOW_PRIVATE to allow it',
    'name-internal':
      '{host} resolves to {address}, {addressKind}; list it in WEBHOOK_ALLOW_PRIVATE to allow it',
    'address-malformed': 'not an address of the form https://host/path',
    'address-protocol': 'only https:// and http:// are allowed',
    'address-credentials': 'a user name or password in the address is not allowed',
    text: '{text}',
  },
  /** Why an e-mail was not sent. */
  email: {
    credentials: 'the mail server refuses the credentials',
    answered: 'the mail server answered: {answer}',
    'no-answer': 'the mail server does not answer',
    'unknown-host': 'the name of the mail server can not be resolved',
    'host-refused': 'the name of the mail server leads to an address that no mail server has',
    'not-set-up': 'there is no mail server',
    'recipient-gone': 'it is no longer for this user',
    'too-late': 'nobody is waiting for it any longer',
    'no-connection': 'no connection to the mail server ({code})',
    disconnected: 'the mail server has ended the connection',
    tls: 'no encrypted connection to the mail server ({code})',
    'no-starttls':
      'the mail server does not offer STARTTLS: choose another encryption, such as TLS from the start with port 465',
    'certificate-name':
      'the certificate of the mail server is for another name: enter the name that the provider gives for it, not its IP address or another name',
    'certificate-expired': 'the certificate of the mail server has expired: it has to be renewed there',
    'certificate-early':
      'the certificate of the mail server is not valid yet: check the clocks of both machines',
    'certificate-untrusted':
      'the certificate of the mail server was not issued by an authority that this machine knows: NODE_EXTRA_CA_CERTS can name the file of your own authority',
    'tls-failed':
      'the mail server does not answer with TLS ({code}): port and encryption probably do not belong together; TLS from the start usually has port 465, STARTTLS port 587',
    'tls-silent':
      'the mail server accepts the connection, but does not complete its encryption: port and encryption probably do not belong together; TLS from the start usually has port 465, STARTTLS port 587',
    'no-greeting':
      'the mail server accepts the connection, but does not greet: port and encryption probably do not belong together; TLS from the start usually has port 465, STARTTLS port 587',
    'not-confirmed': 'the mail server has not confirmed the e-mail: it may have been sent',
    stopping: 'the service stops',
    'voucher-missing': 'there is no such voucher',
    'voucher-ended': 'the voucher is no longer valid',
    other: 'the mail server could not be used ({code})',
    unexpected: 'an unexpected error occurred',
    text: '{text}',
  },
  /** The headings of CSV files. Programs may know the English ones, so they do not change. */
  csvHeading: {
    code: 'code',
    name: 'name',
    site: 'site',
    state: 'state',
    'max-uses': 'max uses',
    uses: 'used',
    'valid-minutes': 'valid minutes',
    download: 'download kbit/s',
    upload: 'upload kbit/s',
    data: 'data MB',
    'created-at': 'created at',
    'expires-at': 'expires at',
    'created-by': 'created by',
    'creator-kind': 'creator kind',
    profile: 'profile',
    day: 'day',
    created: 'created',
    used: 'used',
    time: 'time',
    'actor-kind': 'actor kind',
    actor: 'actor',
    action: 'action',
    'subject-kind': 'subject kind',
    'subject-id': 'subject id',
    subject: 'subject',
    address: 'address',
    count: 'count',
    detail: 'detail',
  },
  /** What chat platforms get from webhooks. Never a voucher's code. */
  notification: {
    'created-one': '1 voucher created',
    'created-many': '{count} vouchers created',
    test: 'Test: {notification}',
    site: 'Site',
    source: 'Source',
    'controller.unreachable': 'Controller cannot be reached',
    'controller.reachable': 'Controller can be reached again',
    controller: 'Controller',
    sites: 'Sites',
    reason: 'Reason',
    unknown: 'unknown',
  },
  /** Why an SMS was not sent. */
  sms: {
    credentials: 'the SMS provider refuses the credentials',
    answered: 'the SMS provider answered: {answer}',
    throttled: 'the SMS provider takes no more at the moment (429)',
    redirected: 'the SMS provider redirects to another address ({status})',
    'not-reached': 'the SMS provider can not be reached: {attempt}',
    'not-confirmed': 'the SMS provider did not confirm the SMS ({attempt}): it may have been sent anyway',
    'provider-fault': 'the SMS provider is out of order ({status}): the SMS may have been sent anyway',
    interrupted: 'the service was interrupted while sending: the SMS may have been sent anyway',
    'not-set-up': 'there is no SMS provider',
    'voucher-missing': 'there is no such voucher',
    'voucher-ended': 'the voucher is no longer valid',
    unexpected: 'an unexpected error occurred',
    text: '{text}',
  },
  /** Why an order of the web UI failed, or is not complete. */
  order: {
    'not-shown':
      'The controller has shown {shown} of {count} vouchers. It is being checked which of them exist; that takes about a minute.',
    'only-some': 'The controller has created only {made} of {count} vouchers.',
    none: 'The controller did not answer in time and has created nothing.',
    'not-usable': 'The controller has created vouchers without a code. They were revoked.',
    'controller-removed': 'The controller was removed before it could be checked what it has created.',
    'too-late': 'The order could not be stored in time. Nothing was created.',
    'taken-by-others':
      'The vouchers were recorded for another order. It is being checked which others exist.',
    'settings-unusable': 'The settings of the controller can not be used.',
    unexpected: 'An unexpected error occurred.',
  },
  /** Why a voucher was not revoked. */
  revocation: {
    'controller-removed': 'The controller was removed and can no longer be asked.',
    'too-late': 'There was no time left for it. Please try again.',
  },
  /** What a controller answered, after a failure. */
  quote: {
    none: '',
    said: ' ("{said}")',
    status: ' (status {status})',
    'said-status': ' ("{said}", status {status})',
  },
  /** The name of a controller, where several may be meant. */
  named: { none: '', name: ' "{name}"' },
  /** The fingerprint of a certificate, where it is known. */
  seen: { none: '', fingerprint: '; its SHA-256 fingerprint is {fingerprint}' },
  /** Why a certificate is not trusted, as the rest of a sentence about it. */
  distrust: {
    'self-signed': 'is self-signed',
    'unknown-ca': 'is signed by an unknown CA',
    expired: 'has expired: it was valid until {validTo}',
    'not-yet-valid': 'is not valid yet: it is from {validFrom} on',
    'host-name': 'is not for {host}, but for {names}',
    other: 'can not be verified: {code}',
  },
  /** Why a call of a controller failed, for those who ordered. */
  failure: englishFailures,
  /** The same for the operator, in the log and on the command line. */
  failureDetail: englishFailureDetails,
  /** Why a controller can not be used, apart from failed calls. */
  controllerProblem: {
    failed: '{failureDetail}',
    'credentials-sealed':
      'The stored credentials can not be opened: they were sealed with another key or for another address',
    url: 'The address is not allowed: it has to be one with https, without user, password and parameters, such as https://192.168.1.1',
    fingerprint: 'The fingerprint is not valid: SHA-256 has 64 hexadecimal digits',
    'ca-file': 'The text holds no certificate in PEM',
    credentials: 'Credentials are missing, or do not belong to this kind',
    address: 'This kind has no address',
    trust: 'Either a fingerprint or a CA: not both at a time',
    settings: 'The settings can not be used',
    unexpected: 'An unexpected error occurred',
  },
  /** What to do in the web UI about a controller that fails. */
  remedy: {
    name: 'Check the name, or give the IP address instead',
    connection: 'Check address and port, that the controller runs, and the firewall on the way to it',
    timeout: 'Find out what keeps the controller busy, or restart it if it hangs',
    disconnected: 'Try again; if it happens again, look for a proxy in between',
    pin: 'Compare the fingerprint with the one that the controller itself shows, and pin it if it is the same',
    'unknown-ca': 'Give the certificate of its CA; or: {remedy}',
    expired: 'Renew the certificate on the controller, and check the clock of this server; or: {remedy}',
    'not-yet-valid': 'Check the clocks of the controller and of this server; or: {remedy}',
    'host-name': 'Use an address that it is valid for; or: {remedy}',
    'other-certificate':
      'Find out why it has changed, and pin it only if the controller itself shows the same fingerprint',
    credentials: 'Enter the credentials again',
    'two-factor': 'Create a local account without a second factor on the controller, and use that one',
    'locked-out': 'Wait three minutes, and try again',
    permission:
      'Give the account the right to manage vouchers on the controller: in UniFi the role hotspot manager, or administrator of the site',
    site: 'Choose another site',
    bounds: 'Choose another value',
    throttled: 'Wait a minute',
    'circuit-open': 'Find out why it fails; it is retried automatically',
    deadline: 'Find out why it is slow',
    update: 'Update UniFi Network, or choose the kind "unifi-classic"',
    refused: 'Do what the controller says, or look into its own log',
    unreadable:
      'Check that the address is that of the controller itself, and the kind; while it starts, try again in a minute',
    'not-read': 'Look for the voucher on the controller',
  },
  /** What an administrator should do after a test of a controller. Lines to copy follow. */
  advice: {
    'mikrotik-radius':
      'Vouchers are made in User Manager, but no hotspot of this router asks a RADIUS server. Enter on the router, with a secret of your own:',
    'mikrotik-user-manager':
      'User Manager is installed but not in use, so vouchers are made as users of the hotspot. To use it, enter on the router:',
    'mikrotik-hotspot':
      'This router has no hotspot, where guests could type a code. To set one up, enter on the router:',
    'radius-accounting':
      'No accounting was recorded yet: the table radacct is empty. Without it, time, devices and volume never count. Switch accounting on at the access points, and keep "sql" in the section accounting of the server.',
    'radius-nas':
      'The table nas is empty, so guests who are online can not be disconnected when their voucher is revoked. Add each access point with its address and its secret.',
    'radius-index':
      'The table radacct has no index for the names of users, so each sign-in and each sync reads all of it. Add one in the database:',
    'radius-engine':
      'The table {table} is of the engine {engine}, which knows no transactions: an order that breaks off may leave a part of its vouchers. Change it in the database:',
    'radius-policy': 'On the FreeRADIUS server, unless it is done, save this as {file}:',
    'radius-authorize':
      'In {file}, in the section authorize, add this line above "-sql" or "sql". Keep "-sql" or "sql" in the section accounting: uses and time are counted from it.',
    'radius-restart': 'Then restart the server:',
  },
  /** What a step of a connection test found. */
  connectionTest: {
    endpoint: '{address}, port {port}',
    addresses: '{addresses}',
    system: 'The system trusts it',
    'own-ca': 'It is signed by the given CA',
    pinned: 'It is the pinned one',
  },
  /** How long something takes or has lasted. */
  duration: { seconds: '{count} s', minutes: '{count} min', hours: '{count} h', days: '{count} days' },
  /** How long the key of a demo is valid. */
  demoValidity: {
    'for-ever': 'for ever',
    until: 'until {time}, unless a running demo extends it',
  },
  /** Something that is stored sealed. */
  sealed: {
    webhook: 'webhook "{name}"',
    controller: 'controller "{name}"',
    'second-factor': 'second factor of "{name}"',
    wifi: 'Wi-Fi password of site {site}',
    'order-codes': 'codes of the open order "{name}"',
    'mail-server': 'password of the mail server',
    'identity-provider': 'client secret of the identity provider',
    'sms-provider': 'secret of the SMS provider',
  },
  /** What to do about something whose seal does not open. */
  sealedRemedy: {
    webhook: 'remove the webhook',
    controller: 'give it its credentials again: {command} (first see that its address is right: {address})',
    'controller-without-address':
      'give it its credentials again: {command} (first see that its address is right: none)',
    'second-factor': 'let it be set up again: {command}',
    wifi: 'enter the password of the Wi-Fi again on the page Sites',
    'order-codes': 'start the service with the secret key that it had when it was ordered',
    'mail-server': 'enter it again on the page E-mail',
    'identity-provider': 'enter it again on the page Users',
    'sms-provider': 'enter it again on the page SMS',
  },
  /** What a check of the service found. */
  finding: {
    'disk-free': '{free} free',
    'disk-low': 'only {free} free',
    'disk-not-writable': '{dataDir} can not be written to{code}',
    clock: '{time}, zone {zone}',
    'email-off': 'not set up: vouchers cannot be sent by e-mail',
    'email-on': 'set up, through {host}',
    'email-incomplete': 'not complete: sender or password of the mail server is missing',
    'email-unusable': 'set up, but {host} cannot be used: {detail}',
    'sms-off': 'not set up: vouchers cannot be sent by SMS',
    'sms-on': 'set up, through {host}',
    'sms-failed': 'set up, through {host}; the last failure was at {time}: {sms}',
    'sms-incomplete': 'not complete: the secret of the provider is missing',
    'single-sign-on-off': 'not set up: users sign in with a password',
    'single-sign-on-on': 'set up, at {host}',
    'single-sign-on-unusable': 'set up, but nobody can sign in at {host}: {detail}',
    'single-sign-on-incomplete': 'not complete: nobody can sign in with it',
    'files-closed': 'no other user of this machine can open the files',
    'files-open': 'every user of this machine can open {files}',
    'files-none': 'there are no files yet: nothing in {dataDir}',
    'files-hidden': 'this user can not look at {files}, so it is not known who can open the files',
    'files-not-usable': 'this user can not open {files}; nobody else but the owner can',
    'keys-valid': '{count} valid',
    'keys-none': 'none',
    'sites-active': '{count} active',
    'sites-none': 'none active',
    'demo-key': 'the key {prefix} of a demo is valid {demoValidity}',
    'demo-key-on-all-sites': 'the key {prefix} of a demo is valid {demoValidity}, on all sites',
    'demo-key-on-real-sites':
      'the key {prefix} of a demo is valid {demoValidity}, on all sites, those of real controllers too',
    'intents-none': 'none open',
    'intents-open': '{count} open, the oldest for {duration}',
    'intents-overdue': '{count} open, the oldest for {duration}, which is longer than {limit}',
    'secrets-open': 'all stored secrets can be decrypted',
    'secrets-not-open': 'sealed with another key or for another address: {sealed}',
    'secrets-unknown': '{detail}',
    'controller-answers': 'answers',
    'controller-not-asked': 'not asked yet',
    'controller-silent': 'does not answer',
    'controller-failing': '{controllerProblem}',
    'webhook-switched-off': '{name} was switched off: {attempt}',
    'delivery-failed':
      '1 delivery failed for good in the last 7 days, the last one to {name} at {time}: {attempt}',
    'deliveries-failed':
      '{count} deliveries failed for good in the last 7 days, the last one to {name} at {time}: {attempt}',
    'deliveries-waiting':
      'deliveries to {name} have waited for {duration}, after {tries} attempts: {attempt}',
    'webhooks-fine': 'none failing',
    'not-checked': 'could not be checked',
  },
  /** What to do about a finding, one alternative per line. */
  findingRemedy: {
    'disk-low': 'free at least 200 MB on the disk of {dataDir}',
    'disk-not-writable': 'let this user write to {dataDir}, or set DATA_DIR',
    'other-user': 'run the command as the user of the service, or as root',
    clock: 'set the clock of this machine',
    'email-off': 'to send e-mails, set up a mail server on the page E-mail, or set SMTP_URL and MAIL_FROM',
    'email-incomplete': 'complete it on the page E-mail, or set SMTP_URL and MAIL_FROM',
    'email-unusable': 'check SMTP_URL or the page E-mail, and send a test e-mail there',
    'sms-off': 'to send SMS, set up a provider on the page SMS, or set SMS_PROVIDER',
    'sms-incomplete': 'enter the secret on the page SMS',
    'single-sign-on-off':
      'to use it, set it up on the page Users, or set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
    'single-sign-on-incomplete':
      'complete it on the page Users, which says what is missing, or set the variables OIDC_…',
    'single-sign-on-unusable': 'test it on the page Users; a user with a password can still sign in',
    'demo-key': 'stop the demo, and: {command}',
    intents:
      'the service settles them while it runs and can reach their controller: see service and controllers',
    'secrets-not-open':
      'put that key back (SECRET_KEY, SECRET_KEY_FILE, or secret.key in DATA_DIR), or {sealedRemedy}',
    'secrets-unknown': 'put back SECRET_KEY, SECRET_KEY_FILE, or secret.key in DATA_DIR',
    controller: 'test it on the page Controllers',
    'webhook-switched-off': 'switch it on again, or remove it: {command}',
    'deliveries-failed':
      'see what failed, and fix the cause: {list}\nsend again what is still wanted: {resend}',
    'not-checked': "see the service's log",
  },
  ...englishAccountEmails,
} as const;
