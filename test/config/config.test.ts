import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError } from '../../src/config/configError.js';
import { readConfig } from '../../src/config/config.js';
import { parseSingleSignOn } from '../../src/config/singleSignOnEnvironment.js';

const folder = mkdtempSync(join(tmpdir(), 'voucherd-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The message with which this environment is refused. */
const refused = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(env)}`);
};

test('without any variable the defaults hold', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    basePath: '',
    publicUrl: undefined,
    dataDir: resolve('data'),
    databaseUrl: `sqlite:${resolve('data/voucherd.sqlite')}`,
    databasePoolMax: 10,
    databaseTimeoutMs: 5000,
    secretKey: undefined,
    tls: undefined,
    trustProxy: [],
    singleSignOn: {},
    webhookAllowPrivate: [],
    logLevel: 'info',
    metricsToken: undefined,
    keepAliveTimeoutMs: 75_000,
    maxConnections: 2000,
    listenBacklog: 4096,
    maxRequestsInFlight: 1000,
    stopDeadlineMs: 25_000,
    controllerDeadlineMs: 10_000,
    reconcileIntervalMs: 10_000,
    reconcileGraceMs: 60_000,
    syncIntervalMs: 60_000,
    auditDays: 400,
    retention: {
      ...{ vouchersDays: undefined, ordersDays: 90, deliveredDays: 30, failedDays: 90 },
      ...{ emailsDays: 90, usageDays: 7 },
    },
    mail: { smtpUrl: undefined, from: undefined },
    strictReplies: false,
  });
});

test('an empty variable counts as not set', () => {
  const names = ['HOST', 'PORT', 'BASE_PATH', 'DATA_DIR', 'DATABASE_URL', 'TRUST_PROXY', 'LOG_LEVEL'];
  const more = [
    'METRICS_TOKEN',
    'KEEP_ALIVE_TIMEOUT_S',
    'MAX_CONNECTIONS',
    'LISTEN_BACKLOG',
    'CONTROLLER_DEADLINE_S',
    'SYNC_INTERVAL_S',
    'TLS_CERT_FILE',
    'TLS_KEY_FILE',
    'NODE_ENV',
    'WEBHOOK_ALLOW_PRIVATE',
    'SECRET_KEY',
    'PUBLIC_URL',
  ];
  const empty = Object.fromEntries([...names, ...more].map((name) => [name, '']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test('the configuration can not be changed', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});

const allowed: [Record<string, string>, object][] = [
  [{ HOST: '::1' }, { host: '::1' }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ PORT: '0' }, { port: 0 }],
  [{ PORT: '65535' }, { port: 65_535 }],
  [{ BASE_PATH: '/' }, { basePath: '' }],
  [{ BASE_PATH: '/api' }, { basePath: '/api' }],
  [{ BASE_PATH: '/wlan/api-v1/' }, { basePath: '/wlan/api-v1' }],
  [{ DATABASE_URL: 'sqlite:/var/lib/v.sqlite' }, { databaseUrl: 'sqlite:/var/lib/v.sqlite' }],
  [{ DATABASE_URL: 'postgres://u:p@h/d' }, { databaseUrl: 'postgres://u:p@h/d' }],
  [{ DATABASE_URL: 'postgresql://u:p@h/d' }, { databaseUrl: 'postgresql://u:p@h/d' }],
  [{ PUBLIC_URL: 'https://Vouchers.example.org/' }, { publicUrl: 'https://vouchers.example.org' }],
  [{ PUBLIC_URL: 'https://example.org/wifi/' }, { publicUrl: 'https://example.org/wifi' }],
  [{ PUBLIC_URL: 'https://example.org', BASE_PATH: '/wifi' }, { publicUrl: 'https://example.org/wifi' }],
  [{ PUBLIC_URL: 'https://example.org/wifi', BASE_PATH: '/wifi' }, { publicUrl: 'https://example.org/wifi' }],
  [
    { PUBLIC_URL: 'https://example.org/a/wifi', BASE_PATH: '/wifi' },
    { publicUrl: 'https://example.org/a/wifi' },
  ],
  [{ PUBLIC_URL: 'http://[::1]:8080' }, { publicUrl: 'http://[::1]:8080' }],
  [{ TRUST_PROXY: '127.0.0.1' }, { trustProxy: ['127.0.0.1'] }],
  [{ TRUST_PROXY: ' 10.0.0.0/8, ::1,fd00::/8 ' }, { trustProxy: ['10.0.0.0/8', '::1', 'fd00::/8'] }],
  [{ WEBHOOK_ALLOW_PRIVATE: '10.1.2.3, fd00::/8' }, { webhookAllowPrivate: ['10.1.2.3', 'fd00::/8'] }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  [{ METRICS_TOKEN: 'geheim' }, { metricsToken: 'geheim' }],
  [{ KEEP_ALIVE_TIMEOUT_S: '3600' }, { keepAliveTimeoutMs: 3_600_000 }],
  [{ MAX_CONNECTIONS: '1' }, { maxConnections: 1 }],
  [{ LISTEN_BACKLOG: '511' }, { listenBacklog: 511 }],
  [{ DATABASE_POOL_MAX: '1' }, { databasePoolMax: 1 }],
  [{ DATABASE_TIMEOUT_S: '30' }, { databaseTimeoutMs: 30_000 }],
  [{ MAX_REQUESTS_IN_FLIGHT: '50' }, { maxRequestsInFlight: 50 }],
  [{ STOP_DEADLINE_S: '8' }, { stopDeadlineMs: 8000 }],
  [{ CONTROLLER_DEADLINE_S: '1' }, { controllerDeadlineMs: 1000 }],
  [{ CONTROLLER_DEADLINE_S: '600' }, { controllerDeadlineMs: 600_000 }],
  [{ RECONCILE_INTERVAL_S: '3600' }, { reconcileIntervalMs: 3_600_000 }],
  [{ RECONCILE_GRACE_S: '0' }, { reconcileGraceMs: 0 }],
  [{ SYNC_INTERVAL_S: '0' }, { syncIntervalMs: 0 }],
  [{ SYNC_INTERVAL_S: '86400' }, { syncIntervalMs: 86_400_000 }],
  [{ NODE_ENV: 'test' }, { strictReplies: true }],
  [{ NODE_ENV: 'development' }, { strictReplies: true }],
  [{ NODE_ENV: 'production' }, { strictReplies: false }],
];

test('a value that is allowed is read', () => {
  for (const [env, config] of allowed) expect({ env, ...readConfig(env) }).toMatchObject({ env, ...config });
});

test('DATA_DIR decides where the SQLite file is', () => {
  expect(readConfig({ DATA_DIR: '/srv/voucherd' })).toMatchObject({
    dataDir: '/srv/voucherd',
    databaseUrl: 'sqlite:/srv/voucherd/voucherd.sqlite',
  });
});

const proxies = 'addresses or networks, separated by commas, such as 127.0.0.1,10.0.0.0/8';
const levels = 'one of trace, debug, info, warn, error, fatal, silent';
const publicUrl = 'https://<host>, perhaps with a port and a path, and nothing else';
const path = 'empty, or a path such as /wifi';
const notAllowed: [name: string, value: string, allowed: string][] = [
  ['PORT', '-1', 'a whole number from 0 to 65535'],
  ['PORT', '65536', 'a whole number from 0 to 65535'],
  ['PORT', '80.5', 'a whole number from 0 to 65535'],
  ['PORT', '0x50', 'a whole number from 0 to 65535'],
  ['PORT', ' ', 'a whole number from 0 to 65535'],
  ['KEEP_ALIVE_TIMEOUT_S', '0', 'a whole number from 1 to 3600'],
  ['MAX_CONNECTIONS', '0', 'a whole number from 1 to 1000000'],
  ['LISTEN_BACKLOG', '65536', 'a whole number from 1 to 65535'],
  ['PUBLIC_URL', 'vouchers.example.org', publicUrl],
  ['PUBLIC_URL', 'ftp://vouchers.example.org', publicUrl],
  ['PUBLIC_URL', 'https://vouchers.example.org/a b', publicUrl],
  ['PUBLIC_URL', 'https://vouchers.example.org?a', publicUrl],
  ['BASE_PATH', 'api', path],
  ['BASE_PATH', 'api/', path],
  ['BASE_PATH', '/a b', path],
  ['BASE_PATH', '//api', path],
  ['BASE_PATH', '/api?x', path],
  ['BASE_PATH', '/a/../b', path],
  ['BASE_PATH', '/.', path],
  ['BASE_PATH', '/a"', path],
  ['BASE_PATH', '/ä', path],
  ['BASE_PATH', `/${'a'.repeat(65_536)}`, path],
  ['TRUST_PROXY', 'proxy.example.org', proxies],
  ['TRUST_PROXY', '10.0.0.0/33', proxies],
  ['TRUST_PROXY', '::1/129', proxies],
  ['TRUST_PROXY', '10.0.0.0/', proxies],
  ['TRUST_PROXY', '10.0.0.0/8/8', proxies],
  ['WEBHOOK_ALLOW_PRIVATE', 'hooks.example.org', proxies],
  ['WEBHOOK_ALLOW_PRIVATE', '10.0.0.0/33', proxies],
  ['LOG_LEVEL', 'INFO', levels],
  ['DATABASE_POOL_MAX', '0', 'a whole number from 1 to 1000'],
  ['DATABASE_TIMEOUT_S', '601', 'a whole number from 1 to 600'],
  ['MAX_REQUESTS_IN_FLIGHT', '0', 'a whole number from 1 to 1000000'],
  ['STOP_DEADLINE_S', 'never', 'a whole number from 1 to 3600'],
  ['CONTROLLER_DEADLINE_S', '0', 'a whole number from 1 to 600'],
  ['CONTROLLER_DEADLINE_S', '601', 'a whole number from 1 to 600'],
  ['RECONCILE_INTERVAL_S', '0', 'a whole number from 1 to 3600'],
  ['RECONCILE_GRACE_S', '86401', 'a whole number from 0 to 86400'],
  ['SYNC_INTERVAL_S', '86401', 'a whole number from 0 to 86400'],
  ['SYNC_INTERVAL_S', '0.5', 'a whole number from 0 to 86400'],
];

test('a value that is not allowed is refused with one line that says what is', () => {
  for (const [name, value, rule] of notAllowed)
    expect(refused({ [name]: value })).toBe(`${name}: "${value}" is not allowed: ${rule}`);
});

test('of several proxies the wrong one is named', () => {
  expect(refused({ TRUST_PROXY: '127.0.0.1,nonsense' })).toBe(
    `TRUST_PROXY: "nonsense" is not allowed: ${proxies}`,
  );
});

test('a wrong DATABASE_URL is refused without its password', () => {
  const wrong: [value: string, shown: string][] = [
    ['mysql://uv:geheim@localhost/voucherd', 'mysql:…'],
    ['postgres://uv:geheim@localhost:port/voucherd', 'postgres:…'],
    ['postgres://', 'postgres:…'],
    ['sqlite:', 'sqlite:…'],
    ['geheim', '…'],
  ];
  for (const [value, shown] of wrong)
    expect(refused({ DATABASE_URL: value })).toBe(
      `DATABASE_URL: "${shown}" is not allowed: sqlite:<file> or postgres://<user>:<password>@<host>/<database>`,
    );
});

describe('SECRET_KEY', () => {
  const key = Buffer.from('fb'.repeat(32), 'hex');
  test('may be hexadecimal or base64', () => {
    for (const value of [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      key.toString('base64').replace('=', ''),
      `${key.toString('base64')}\n`,
    ])
      expect([value, readConfig({ SECRET_KEY: value }).secretKey]).toEqual([value, key]);
  });

  test('is refused without being shown', () => {
    const line = 'SECRET_KEY: "…" is not allowed: 32 bytes, as 64 hexadecimal characters or as base64';
    for (const value of [
      'geheim',
      'ab'.repeat(31),
      'ab'.repeat(33),
      'xy'.repeat(32),
      key.toString('base64url'),
    ])
      expect([value, refused({ SECRET_KEY: value })]).toEqual([value, line]);
  });
});

test('TLS needs a certificate and a key, in files that can be read', () => {
  const missing = join(folder, 'missing.pem');
  const present = join(folder, 'present.pem');
  writeFileSync(present, 'text');

  const wrong: [Record<string, string>, message: string][] = [
    [{ TLS_CERT_FILE: present }, 'TLS_KEY_FILE: "" is not allowed: a file, because TLS_CERT_FILE is set'],
    [{ TLS_KEY_FILE: present }, 'TLS_CERT_FILE: "" is not allowed: a file, because TLS_KEY_FILE is set'],
    [
      { TLS_CERT_FILE: missing, TLS_KEY_FILE: missing },
      `TLS_CERT_FILE: "${missing}" is not allowed: a file that can be read`,
    ],
    [
      { TLS_CERT_FILE: folder, TLS_KEY_FILE: folder },
      `TLS_CERT_FILE: "${folder}" is not allowed: a file that can be read`,
    ],
  ];
  for (const [env, message] of wrong) expect(refused(env)).toBe(message);
});

describe('single sign-on', () => {
  const provider = {
    OIDC_ISSUER: 'https://id.example.org',
    OIDC_CLIENT_ID: 'voucherd',
    OIDC_CLIENT_SECRET: 's',
  };

  const parsed = (env: Record<string, string>) => parseSingleSignOn(readConfig(env).singleSignOn);

  test('may be incomplete: the web UI may say the rest', () => {
    expect(parsed({ OIDC_ISSUER: provider.OIDC_ISSUER })).toBe('client-missing');
    expect(parsed({ OIDC_CLIENT_ID: 'voucherd' })).toBe('issuer-missing');
  });

  test('has a provider, and otherwise defaults', () => {
    expect(parsed(provider)).toEqual({
      issuer: 'https://id.example.org',
      clientId: 'voucherd',
      clientSecret: 's',
      name: 'id.example.org',
      roleClaim: undefined,
      adminValue: 'admin',
      emailProof: { by: 'email_verified' },
    });
  });

  test('may take another claim, or the domain, as the proof of an address', () => {
    const proofOf = (env: Record<string, string>) => parsed({ ...provider, ...env });
    expect(proofOf({ OIDC_EMAIL_PROOF: 'xms_edov' })).toMatchObject({ emailProof: { by: 'xms_edov' } });
    expect(
      proofOf({ OIDC_EMAIL_PROOF: 'domain', OIDC_EMAIL_DOMAINS: 'Example.org, hotel.example.com' }),
    ).toMatchObject({ emailProof: { by: 'domain', domains: ['example.org', 'hotel.example.com'] } });
  });

  test('takes its secret from a file', () => {
    const file = join(folder, 'client-secret');
    writeFileSync(file, 'geheim\n');
    const env = { ...provider, OIDC_CLIENT_SECRET: '', OIDC_CLIENT_SECRET_FILE: file };
    expect(readConfig(env).singleSignOn.clientSecret).toBe('geheim');
  });

  const wrong: [Record<string, string>, message: string][] = [
    [{ OIDC_ISSUER: 'id.example.org' }, 'OIDC_ISSUER: "id.example.org" is not allowed: an https address'],
    [{ OIDC_ISSUER: 'http://id.example.org' }, 'OIDC_ISSUER: "http://id.example.org" is not allowed'],
    [{ OIDC_ISSUER: 'https://u:geheim@id.example.org' }, 'OIDC_ISSUER: "…" is not allowed'],
    [
      { OIDC_EMAIL_PROOF: 'none' },
      'OIDC_EMAIL_PROOF: "none" is not allowed: one of email_verified, xms_edov',
    ],
    [{ OIDC_EMAIL_PROOF: 'domain' }, 'OIDC_EMAIL_DOMAINS: "" is not allowed: domains'],
    [
      { OIDC_EMAIL_PROOF: 'domain', OIDC_EMAIL_DOMAINS: '*' },
      'OIDC_EMAIL_DOMAINS: "*" is not allowed: domains',
    ],
    [
      { OIDC_EMAIL_DOMAINS: 'example.org' },
      'OIDC_EMAIL_DOMAINS: "example.org" is not allowed: empty, unless',
    ],
    [
      { OIDC_EMAIL_PROOF: 'xms_edov', OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
      'is not allowed: the address of one tenant, because OIDC_EMAIL_PROOF is xms_edov',
    ],
    [{ OIDC_CLIENT_SECRET_FILE: 'x' }, 'OIDC_CLIENT_SECRET_FILE: "…" is not allowed: set only one of it and'],
    [
      { OIDC_CLIENT_SECRET: '', OIDC_CLIENT_SECRET_FILE: '/nowhere' },
      'OIDC_CLIENT_SECRET_FILE: "…" is not allowed: a file that can be read',
    ],
  ];

  test('is refused with a line that says what is wrong', () => {
    for (const [env, message] of wrong) expect(refused({ ...provider, ...env })).toContain(message);
  });
});

describe('e-mail', () => {
  const from = 'Hotel <wifi@example.org>';
  const smtpUrl = 'smtps://user:Geheim47@mail.example.org:465';

  test('has a server, a sender, or both', () => {
    expect(readConfig({ SMTP_URL: smtpUrl, MAIL_FROM: from }).mail).toEqual({ smtpUrl, from });
    expect(readConfig({ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.org' }).mail).toBeDefined();
    expect(readConfig({}).mail).toEqual({ smtpUrl: undefined, from: undefined });
    // The web UI may say the rest.
    expect(readConfig({ MAIL_FROM: from }).mail).toEqual({ smtpUrl: undefined, from });
    expect(readConfig({ SMTP_URL: smtpUrl }).mail).toEqual({ smtpUrl, from: undefined });
  });

  test('is refused with a wrong server, which is not shown, or a wrong sender', () => {
    for (const wrong of ['mail.example.org', 'https://mail.example.org', 'smtp://', 'user:Geheim47@mail']) {
      const text = refused({ SMTP_URL: wrong, MAIL_FROM: from });
      expect(text).toContain('SMTP_URL');
      expect(text).not.toContain('Geheim47');
    }
    for (const wrong of [
      'Hotel',
      'a@example.org, b@example.org',
      'Hotel <a@example.org',
      'x\r\nBcc: y@example.org',
    ])
      expect(refused({ SMTP_URL: smtpUrl, MAIL_FROM: wrong })).toContain('MAIL_FROM');
  });
});

test('a PUBLIC_URL that leads past BASE_PATH is refused', () => {
  expect(refused({ PUBLIC_URL: 'https://example.org/guests', BASE_PATH: '/wifi' })).toBe(
    'PUBLIC_URL: "https://example.org/guests" is not allowed: an address whose path ends with /wifi, because BASE_PATH is set',
  );
});
