import type { SettingGroup } from './setting.js';
import { smsSettings } from './smsSettings.js';
import { tracingSettings } from './tracingSettings.js';

const listening = {
  HOST: {
    meaning:
      'The address where it listens. `0.0.0.0` is every address of the machine; a path is a [Unix socket](install.md#unix-sockets).',
    allowed: 'an address of this machine, or the whole path of a socket',
    standard: '127.0.0.1',
    example: '/run/voucherd/voucherd.sock',
    isCommon: true,
  },
  PORT: {
    meaning: 'The port where it listens. 0 takes a free one, and the start prints which.',
    standard: 3000,
    bounds: [0, 65_535],
    isCommon: true,
  },
  SOCKET_MODE: {
    meaning: 'The permissions of the Unix socket.',
    allowed: 'three octal digits',
    standard: '660',
    example: '666',
  },
  BASE_PATH: {
    meaning:
      'The path that everything is below: API, web UI, reference, health and metrics. Outside it there is nothing but `/healthz` and `/readyz`, for load balancers that ask the process itself. See [reverse-proxy.md](reverse-proxy.md).',
    allowed: 'empty, or a path',
    standard: { words: 'empty' },
    example: '/wifi',
  },
  PUBLIC_URL: {
    meaning:
      'Where people reach it: for the addresses that it prints at start, the links in e-mails to users, and the redirect address of single sign-on. Without a path, `BASE_PATH` is appended; a path must end with `BASE_PATH`.',
    allowed: 'an http or https address, perhaps with a port and a path',
    standard: { words: 'where it listens' },
    example: 'https://vouchers.example.org',
  },
  TLS_CERT_FILE: {
    meaning:
      'The certificate, in PEM, with the chain behind it. When both files are set, it speaks HTTPS. `SIGHUP` reads both again: see [operate.md](operate.md#signals).',
    allowed: 'a file that can be read',
    example: '/etc/voucherd/cert.pem',
  },
  TLS_KEY_FILE: {
    meaning: 'The private key of that certificate, in PEM.',
    allowed: 'a file that can be read',
    example: '/etc/voucherd/key.pem',
  },
  TRUST_PROXY: {
    meaning:
      'The proxies whose `X-Forwarded-For`, `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Prefix` are trusted. `unix` are the clients of a Unix socket. See [reverse-proxy.md](reverse-proxy.md).',
    allowed: 'addresses and networks, separated by commas, or `unix`',
    example: '127.0.0.1,10.0.0.0/8',
  },
} as const satisfies SettingGroup['settings'];

const data = {
  DATA_DIR: {
    meaning:
      'The folder of the SQLite file, of `secret.key`, and of the files of simulated controllers. It is created when it is missing.',
    allowed: 'a folder that the service can create and write to',
    standard: './data',
    example: '/var/lib/voucherd',
  },
  DATABASE_URL: {
    meaning:
      'The database: a file of SQLite, or a PostgreSQL, whose address must lead to the server that is written to ([fail-over](operate.md#fail-over-of-postgresql)).',
    allowed: '`sqlite:<file>` or `postgres://<user>:<password>@<host>/<database>`',
    standard: { words: '`voucherd.sqlite` in `DATA_DIR`' },
    example: 'postgres://voucherd:secret@db.example.org/voucherd',
    isSecret: true,
  },
  DATABASE_POOL_MAX: {
    meaning:
      'The most connections to PostgreSQL that one process opens, a third of them for searches, reports and files only. Multiplied by the number of processes, plus one or two for commands, it should stay below the limits of the role and the server.',
    standard: 10,
    bounds: [1, 1000],
  },
  DATABASE_TIMEOUT_S: {
    meaning:
      'How many seconds the database may take: on SQLite for a statement that reads, on PostgreSQL for any statement, for accepting a connection, and for a connection to become free. Migrations have no limit.',
    standard: 5,
    bounds: [1, 600],
  },
  SECRET_KEY: {
    meaning:
      'The key that encrypts addresses, credentials and secrets in the database. Make one with `openssl rand -hex 32`. Several processes on one PostgreSQL need the same.',
    allowed: '32 bytes, as 64 hexadecimal characters or as base64',
    standard: { words: 'in `DATA_DIR/secret.key`, created when first needed' },
    isSecret: true,
  },
  AUDIT_DAYS: {
    meaning: 'How many days entries of the audit log are kept.',
    standard: 400,
    bounds: [1, 36_500],
  },
} as const satisfies SettingGroup['settings'];

/** For how many days records are kept: `readRetention` reads them. */
export const retentionSettings = {
  RETAIN_VOUCHERS_DAYS: {
    meaning: 'Vouchers, after they ended: expired, revoked, or gone from their controller.',
    standard: { words: 'for good' },
    bounds: [1, 36_500],
    example: '365',
  },
  RETAIN_ORDERS_DAYS: {
    meaning: 'Orders of the web UI, which can be found and repeated for so long.',
    standard: 90,
    bounds: [1, 36_500],
  },
  RETAIN_DELIVERIES_DAYS: {
    meaning: 'Notifications, after they were delivered or given up.',
    standard: { words: '`30`; `90` for those that failed' },
    bounds: [1, 36_500],
  },
  RETAIN_EMAILS_DAYS: {
    meaning: 'E-mails and SMS with their addresses and numbers, after they were sent or given up.',
    standard: 90,
    bounds: [1, 36_500],
  },
  RETAIN_USAGE_DAYS: {
    meaning: 'The requests of API keys by hour. The web UI shows the last 24 hours.',
    standard: 7,
    bounds: [2, 36_500],
  },
} as const satisfies SettingGroup['settings'];

const controllers = {
  CONTROLLER_DEADLINE_S: {
    meaning: 'How many seconds a controller may take to create a voucher.',
    standard: 10,
    bounds: [1, 600],
  },
  RECONCILE_INTERVAL_S: {
    meaning: 'Every how many seconds orders with an unknown outcome are checked.',
    standard: 10,
    bounds: [1, 3600],
  },
  RECONCILE_GRACE_S: {
    meaning: 'How many seconds after the deadline a voucher may still turn up on its controller.',
    standard: 60,
    bounds: [0, 86_400],
  },
  SYNC_INTERVAL_S: {
    meaning:
      'Every how many seconds uses, status and expiry of recorded vouchers are compared with their controllers. 0 switches it off.',
    standard: 60,
    bounds: [0, 86_400],
  },
} as const satisfies SettingGroup['settings'];

const messages = {
  WEBHOOK_ALLOW_PRIVATE: {
    meaning:
      'Private addresses that webhooks may use anyway. Without it, webhooks go to public addresses only, so that they cannot be used to reach internal services.',
    allowed: 'addresses and networks, separated by commas',
    example: '10.20.0.5,fd00:20::/64',
  },
  SMTP_URL: {
    meaning:
      'The mail server that e-mails are sent through. Without it, the one that is set up in the [web UI](administration.md#e-mail) is used, where there is one. `?requireTLS=true` at its end requires encryption.',
    allowed: '`smtp://` or `smtps://`, with user and password if needed',
    example: 'smtp://user:password@mail.example.org:587',
    isSecret: true,
  },
  MAIL_FROM: {
    meaning: 'The sender of e-mails. Without it, the one that is set up in the web UI.',
    allowed: 'an address, or a name with an address in angle brackets',
    example: 'Hotel <wifi@example.org>',
  },
} as const satisfies SettingGroup['settings'];

const singleSignOn = {
  OIDC_ISSUER: {
    meaning:
      'The OpenID Connect provider. Without it, the one that is set up in the [web UI](administration.md#single-sign-on) is used, where there is one.',
    allowed: 'an https address; http only on this machine',
    example: 'https://id.example.org/realms/hotel',
  },
  OIDC_CLIENT_ID: {
    meaning: 'The client id that the provider has for voucherd. Without it, the one of the web UI.',
    example: 'voucherd',
  },
  OIDC_CLIENT_SECRET: {
    meaning: 'The client secret. Without it, the one of the web UI.',
    isSecret: true,
  },
  OIDC_NAME: {
    meaning: 'The text of the button.',
    standard: { words: "the issuer's host" },
    example: 'Hotel account',
  },
  OIDC_ROLE_CLAIM: {
    meaning:
      'The claim that gives the role at each sign-in. Without it, administrators create users and give them their roles.',
    example: 'groups',
  },
  OIDC_ADMIN_VALUE: {
    meaning: 'The value of that claim that makes an administrator.',
    standard: 'admin',
    example: 'wifi-admins',
  },
  OIDC_VIEWER_VALUE: {
    meaning:
      'The value of that claim that makes a [viewer](administration.md#roles), who only reads. Everybody else with the claim is staff. Administrators stay administrators with both values.',
    example: 'wifi-viewers',
  },
  OIDC_EMAIL_PROOF: {
    meaning:
      'What proves that an e-mail address belongs to the user: the claim `email_verified`, the claim `xms_edov` of Microsoft, or the domain of the address.',
    words: ['email_verified', 'xms_edov', 'domain'],
    standard: 'email_verified',
  },
  OIDC_EMAIL_DOMAINS: {
    meaning: 'With `OIDC_EMAIL_PROOF=domain`: the domains whose addresses the provider gives out itself.',
    allowed: 'domains, separated by commas',
    example: 'example.org,example.com',
  },
} as const satisfies SettingGroup['settings'];

const limits = {
  MAX_REQUESTS_IN_FLIGHT: {
    meaning: 'How many API requests one process handles at a time. Further ones get 503 at once.',
    standard: 1000,
    bounds: [1, 1_000_000],
  },
  MAX_CONNECTIONS: {
    meaning: 'The most open connections. Further ones are closed at once, before anything is read from them.',
    standard: 2000,
    bounds: [1, 1_000_000],
  },
  LISTEN_BACKLOG: {
    meaning:
      'How many connections may wait to be accepted. The kernel permits no more than `net.core.somaxconn`. Beyond it, a client retries after a second or more.',
    standard: 4096,
    bounds: [1, 65_535],
  },
  KEEP_ALIVE_TIMEOUT_S: {
    meaning:
      'How many seconds an idle connection stays open. It must be longer than a proxy in front keeps it.',
    standard: 75,
    bounds: [1, 3600],
  },
  STOP_DEADLINE_S: {
    meaning:
      'How many seconds a graceful shutdown may take; then the process exits with 1. Keep it below the timeout of your process manager.',
    standard: 25,
    bounds: [1, 3600],
  },
} as const satisfies SettingGroup['settings'];

const observation = {
  LOG_LEVEL: {
    meaning: 'The least important lines that are logged. `silent` logs nothing.',
    words: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    standard: 'info',
  },
  METRICS_TOKEN: {
    meaning:
      'The token of `/metrics`: with `Authorization: Bearer <token>` it is readable from anywhere. Once set, it is required even on the machine itself.',
    isSecret: true,
  },
} as const satisfies SettingGroup['settings'];

const surroundings = {
  NODE_ENV: {
    meaning: 'In `development` and `test`, a reply that the contract does not document is refused with 500.',
    example: 'development',
    isCommon: true,
  },
  TZ: {
    meaning: "The time zone of the date in a voucher's name, and of times on slips.",
    allowed: 'a name of the time zone database',
    standard: { words: "the machine's" },
    example: 'Europe/Berlin',
    isCommon: true,
  },
  PATH: {
    meaning: 'Where hints look for an installed `voucherd`, and the service for `systemd-notify`.',
    standard: { words: "the shell's" },
    isForeign: true,
  },
  LISTEN_FDS: {
    meaning: 'systemd sets it when a socket unit has opened the socket. It comes before `HOST` and `PORT`.',
    allowed: '1',
    isCommon: true,
  },
  LISTEN_PID: { meaning: 'systemd sets it: the process that the socket is for.', isCommon: true },
  NOTIFY_SOCKET: {
    meaning: 'systemd sets it for units with `Type=notify`: where the service tells that it is ready.',
    isForeign: true,
  },
  WATCHDOG_USEC: {
    meaning: 'systemd sets it for units with `WatchdogSec=`: how often the service tells that it is alive.',
    isForeign: true,
  },
  WATCHDOG_PID: { meaning: 'systemd sets it: the process that is watched.', isForeign: true },
} as const satisfies SettingGroup['settings'];

/** All settings, in the order of docs/configuration.md. */
export const settingGroups: readonly SettingGroup[] = [
  {
    title: 'Listening',
    introduction: 'Where the service listens, and what is in front of it.',
    settings: listening,
  },
  {
    title: 'Data',
    introduction:
      'Where the data is. Commands need the same `DATA_DIR`, `DATABASE_URL` and `SECRET_KEY` as the service.',
    settings: data,
  },
  {
    title: 'Retention',
    introduction:
      'For how many days records are kept once they are no longer needed: see [Retention](operate.md#retention). `AUDIT_DAYS` above is one of them.',
    settings: retentionSettings,
  },
  {
    title: 'Controllers',
    introduction: 'How long controllers may take, and how often they are asked: see [orders.md](orders.md).',
    settings: controllers,
  },
  {
    title: 'Webhooks and e-mail',
    introduction:
      'What leaves the service: see [notifications.md](notifications.md) and [E-mail](operate.md#e-mail).',
    settings: messages,
  },
  {
    title: 'SMS',
    introduction:
      'The provider that SMS are sent through: see [sms.md](sms.md). Usually it is set up in the web UI.',
    settings: smsSettings,
  },
  {
    title: 'Single sign-on',
    introduction:
      'Sign-in to the web UI by an OpenID Connect provider: see [Single sign-on](operate.md#single-sign-on).',
    settings: singleSignOn,
  },
  {
    title: 'Limits',
    introduction:
      'The defaults suit a machine with two cores. Change them when the log or the metrics say so.',
    settings: limits,
  },
  {
    title: 'Log and metrics',
    introduction: 'What the service tells of itself: see [operate.md](operate.md#monitoring).',
    settings: observation,
  },
  {
    title: 'Traces',
    introduction:
      'The usual variables of OpenTelemetry: see [monitoring.md](monitoring.md#traces), also for those that its exporter reads.',
    settings: tracingSettings,
  },
  {
    title: 'From the system',
    introduction: 'What the system, a service manager or Node sets. None of it is needed.',
    settings: surroundings,
  },
];

const all = {
  ...listening,
  ...data,
  ...controllers,
  ...messages,
  ...singleSignOn,
  ...limits,
  ...observation,
};

type NamesWith<Key extends string> = {
  [Name in keyof typeof all]: (typeof all)[Name] extends Readonly<Record<Key, unknown>> ? Name : never;
}[keyof typeof all];

/** The settings that are whole numbers, with their bounds and defaults. */
export const numberSettings: Readonly<
  Record<NamesWith<'bounds'>, { readonly bounds: readonly [number, number]; readonly standard: number }>
> = all;

/** The settings that are one of a few words. */
export const choiceSettings: Readonly<
  Record<NamesWith<'words'>, { readonly words: readonly string[]; readonly standard: string }>
> = all;
