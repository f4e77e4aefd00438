import { createHash } from 'node:crypto';

/** The schema of the PHP tool as it was at five times, the last one never released. */
export const phpToolStates = ['A', 'B', 'C', 'D', 'E'] as const;
export type PhpToolState = (typeof phpToolStates)[number];

/** The tool's key: 32 times `K`. */
export const phpToolAppKey = 'S0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0s=';
/** What the tool has made of one password with both of its ciphers. */
export const phpToolPassword = 'Passwört 1';
export const phpToolSecretbox = 'enc:v1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBA5urGdqX2vR7GuO0imvQEfpJkXVUewDQg+sU';
export const phpToolAesGcm = 'enc:v1:AgICAgICAgICAgICC4Ns+yv6HzPih2xpEnX8lWnIPlJysx39/b8F';

/** `altes-passwort`, hashed by PHP. */
export const phpToolUserPassword = 'altes-passwort';
const userHash = '$2y$04$8yMS8qHGjOq23BjsBDrRX.GGAczBwgrnV/f504lIspklmYkCHD3tu';
export const phpToolTotpSecret = 'JBSWY3DPEHPK3PXP';

export const phpToolKeys = {
  write: `uvt_0a1b2c3d${'4e'.repeat(16)}`,
  read: `uvt_1a1b2c3d${'5f'.repeat(16)}`,
  off: `uvt_2a1b2c3d${'60'.repeat(16)}`,
};

interface PhpToolOptions {
  /** The console of sites 3 and 7. */
  readonly address: string;
  /** By how many hours the server's zone is ahead of UTC. */
  readonly serverHours?: number;
  readonly webhook?: string;
}

const isFrom = (state: PhpToolState, since: PhpToolState): boolean => state >= since;

/** What the session of UTC has to write so that the server's zone shows this text, as PHP has written it. */
const writtenByPhp = (text: string, serverHours: number): string =>
  `'${new Date(Date.parse(`${text.replace(' ', 'T')}Z`) - serverHours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')}'`;

/** A database of the tool with made-up data, as statements that a dump could hold. */
export const phpToolSql = (state: PhpToolState, options: PhpToolOptions): string =>
  ["SET TIME_ZONE='+00:00';", ...createTables(state), ...insertRows(state, options)].join('\n');

const table = (name: string, ...columns: (string | false)[]): string =>
  `CREATE TABLE \`${name}\` (\n  ${columns.filter(Boolean).join(',\n  ')}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;`;

const id = '`id` int NOT NULL AUTO_INCREMENT PRIMARY KEY';
const createdAt = '`created_at` timestamp NOT NULL DEFAULT current_timestamp()';

const createTables = (state: PhpToolState): string[] => [
  table('settings', id, '`setting_key` varchar(100) NOT NULL UNIQUE', '`setting_value` text', createdAt),
  table(
    'sites',
    id,
    '`name` varchar(255) NOT NULL',
    '`site_id` varchar(100) NOT NULL',
    '`unifi_controller_url` varchar(255) NOT NULL',
    '`unifi_username` varchar(100) NOT NULL',
    '`unifi_password` varchar(255) NOT NULL',
    '`is_active` tinyint(1) DEFAULT 1',
    '`public_access` tinyint(1) DEFAULT 0',
    createdAt,
    isFrom(state, 'E') && '`ssl_verify` tinyint(1) NOT NULL DEFAULT 0',
  ),
  table(
    'users',
    id,
    '`email` varchar(255) NOT NULL UNIQUE',
    '`name` varchar(255)',
    '`password_hash` varchar(255)',
    '`is_admin` tinyint(1) DEFAULT 0',
    '`is_active` tinyint(1) DEFAULT 1',
    '`microsoft_id` varchar(255) UNIQUE',
    isFrom(state, 'C') && '`totp_secret` varchar(64)',
    isFrom(state, 'C') && '`totp_enabled` tinyint(1) NOT NULL DEFAULT 0',
    isFrom(state, 'D') && '`totp_backup_codes` text',
    '`last_login` timestamp NULL',
    createdAt,
  ),
  table('user_site_access', id, '`user_id` int NOT NULL', '`site_id` int NOT NULL', createdAt),
  table(
    'vouchers',
    id,
    '`site_id` int NOT NULL',
    '`user_id` int',
    '`voucher_code` varchar(50) NOT NULL',
    '`voucher_name` varchar(255) NOT NULL',
    '`max_uses` int NOT NULL',
    '`expire_minutes` int NOT NULL',
    createdAt,
    '`unifi_voucher_id` varchar(100)',
    "`status` enum('valid','used','expired') DEFAULT 'valid'",
    '`used_count` int DEFAULT 0',
    '`expires_at` timestamp NULL',
    '`synced_from_unifi` tinyint(1) DEFAULT 0',
    '`last_sync` timestamp NULL',
    'CONSTRAINT `vouchers_site` FOREIGN KEY (`site_id`) REFERENCES `sites` (`id`) ON DELETE CASCADE',
  ),
  ...(isFrom(state, 'B') ? [table('audit_log', id, '`action` varchar(100)', '`details` text')] : []),
  ...(isFrom(state, 'B')
    ? [
        table(
          'voucher_templates',
          id,
          '`name` varchar(255) NOT NULL',
          '`max_uses` int DEFAULT 1',
          '`expire_minutes` int DEFAULT 480',
          '`description` varchar(500)',
          isFrom(state, 'C') && '`qos_rate_max_down` int',
          isFrom(state, 'C') && '`qos_rate_max_up` int',
          isFrom(state, 'C') && '`qos_usage_quota` int',
          '`is_active` tinyint(1) DEFAULT 1',
          createdAt,
        ),
      ]
    : []),
  ...(isFrom(state, 'C')
    ? [
        table(
          'api_keys',
          id,
          '`name` varchar(255) NOT NULL',
          '`key_prefix` varchar(16) NOT NULL',
          '`key_hash` varchar(255) NOT NULL',
          isFrom(state, 'D') && "`scope` varchar(16) NOT NULL DEFAULT 'write'",
          isFrom(state, 'D') && '`rate_limit` int NOT NULL DEFAULT 0',
          '`last_used_at` timestamp NULL',
          '`is_active` tinyint(1) DEFAULT 1',
          createdAt,
        ),
      ]
    : []),
];

const insert = (
  name: string,
  rows: readonly Readonly<Record<string, string | number | null | undefined>>[],
): string[] =>
  rows.map((row) => {
    const columns = Object.keys(row).map((column) => `\`${column}\``);
    const values = Object.values(row).map((value) => (value === null ? 'NULL' : String(value)));
    return `INSERT INTO \`${name}\` (${columns.join(', ')}) VALUES (${values.join(',')});`;
  });

/** A text as mysqldump writes it. */
const text = (value: string): string => `'${value.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`;

const insertRows = (state: PhpToolState, { address, serverHours = 0, webhook }: PhpToolOptions): string[] => {
  const php = (wallClock: string): string => writtenByPhp(wallClock, serverHours);
  const hasKey = isFrom(state, 'C');
  const [first, second] = hasKey ? [phpToolSecretbox, phpToolAesGcm] : [phpToolPassword, phpToolPassword];
  const account = { unifi_username: text('voucherd') };
  const hash = (key: string): string => text(createHash('sha256').update(key).digest('hex'));
  return [
    ...insert('settings', [
      { setting_key: text('webhook_enabled'), setting_value: text(webhook === undefined ? '0' : '1') },
      { setting_key: text('webhook_url'), setting_value: text(webhook ?? '') },
      { setting_key: text('smtp_password'), setting_value: text('smtp-geheim') },
      { setting_key: text('smtp_enabled'), setting_value: text('1') },
    ]),
    ...insert('sites', [
      {
        id: 3,
        name: text('Hauptgebäude'),
        site_id: text('default'),
        unifi_controller_url: text(address),
        ...account,
        unifi_password: text(first),
      },
      {
        id: 7,
        name: text('Anna\'s "Café"'),
        site_id: text('cafe'),
        unifi_controller_url: text(`${address}/`),
        ...account,
        unifi_password: text(second),
      },
      {
        id: 9,
        name: text('Altbau'),
        site_id: text('default'),
        unifi_controller_url: text('https://127.0.0.1:9'),
        ...account,
        unifi_password: text('klartext'),
        is_active: null,
      },
    ]),
    ...insert('users', [
      {
        id: 1,
        email: text('chefin@example.org'),
        name: text('Chefin'),
        password_hash: text(userHash),
        is_admin: 1,
        created_at: text('2024-05-06 07:08:09'),
      },
      {
        id: 2,
        email: text('Empfang@example.org'),
        name: text('chefin'),
        password_hash: text(userHash),
        ...(hasKey && { totp_secret: text(phpToolTotpSecret), totp_enabled: 1 }),
      },
      {
        id: 4,
        email: text('weg@example.org'),
        name: null,
        password_hash: null,
        is_active: 0,
        microsoft_id: text('oidc:4711'),
      },
    ]),
    ...insert('user_site_access', [
      { user_id: 2, site_id: 7 },
      { user_id: 2, site_id: 3 },
    ]),
    ...(isFrom(state, 'B')
      ? insert('voucher_templates', [
          {
            id: 1,
            name: text('Tag'),
            max_uses: 1,
            expire_minutes: 1440,
            ...(hasKey && { qos_rate_max_down: 10_000, qos_usage_quota: null }),
          },
          { id: 2, name: text('tag'), max_uses: 5, expire_minutes: 60 },
          { id: 3, name: text('Aus'), is_active: 0 },
        ])
      : []),
    ...(hasKey
      ? insert('api_keys', [
          {
            id: 5,
            name: text('Buchung'),
            key_prefix: text('0a1b2c3d'),
            key_hash: hash(phpToolKeys.write),
            last_used_at: text('2026-03-01 10:00:00'),
          },
          {
            id: 6,
            name: text('Anzeige'),
            key_prefix: text('1a1b2c3d'),
            key_hash: hash(phpToolKeys.read),
            ...(isFrom(state, 'D') && { scope: text('read'), rate_limit: 30 }),
          },
          {
            id: 8,
            name: text('Alt'),
            key_prefix: text('2a1b2c3d'),
            key_hash: hash(phpToolKeys.off),
            is_active: 0,
          },
        ])
      : []),
    ...insert('vouchers', [
      // Ordered, used once: the tool's expiry is 100 minutes later, in Berlin's time.
      {
        id: 1,
        site_id: 3,
        user_id: 1,
        voucher_code: text('1111111111'),
        voucher_name: text('2026-01-15_Berger'),
        max_uses: 2,
        expire_minutes: 100,
        created_at: text('2026-01-15 19:51:18'),
        unifi_voucher_id: text('a1'),
        used_count: 1,
        expires_at: php('2026-01-15 22:31:18'),
      },
      // Found on the console in summer: both times are Berlin's.
      {
        id: 2,
        site_id: 3,
        voucher_code: text('22222-22222'),
        voucher_name: text('Importiert aus UniFi'),
        max_uses: 0,
        expire_minutes: 60,
        created_at: php('2026-07-01 12:00:00'),
        unifi_voucher_id: text('a2'),
        status: text('expired'),
        used_count: 0,
        expires_at: php('2026-07-01 13:00:00'),
        synced_from_unifi: 1,
      },
      // Two orders at the same moment that got the same voucher, and the sync of it.
      {
        id: 3,
        site_id: 3,
        voucher_code: text('3333333333'),
        voucher_name: text('2026-02-01_Gast'),
        max_uses: 1,
        expire_minutes: 60,
        created_at: text('2026-02-01 08:00:00'),
        unifi_voucher_id: text('a3'),
      },
      {
        id: 4,
        site_id: 3,
        voucher_code: text('3333333333'),
        voucher_name: text('2026-02-01_Gast'),
        max_uses: 1,
        expire_minutes: 60,
        created_at: text('2026-02-01 08:00:00'),
        unifi_voucher_id: text('a3'),
      },
      // An order whose id was not learnt, and the row that the sync found for it.
      {
        id: 5,
        site_id: 7,
        user_id: 2,
        voucher_code: text('4444444444'),
        voucher_name: text('2026-02-02_Ohne'),
        max_uses: 1,
        expire_minutes: 60,
        created_at: text('2026-02-02 08:00:00'),
      },
      {
        id: 6,
        site_id: 7,
        voucher_code: text('44444-44444'),
        voucher_name: text('2026-02-02_Ohne'),
        max_uses: 1,
        expire_minutes: 60,
        created_at: php('2026-02-02 09:00:00'),
        unifi_voucher_id: text('a4'),
        status: text('used'),
        used_count: 1,
        expires_at: php('2026-02-02 10:00:00'),
        synced_from_unifi: 1,
      },
      // Nothing settles what is on no console.
      {
        id: 7,
        site_id: 9,
        voucher_code: text('5555555555'),
        voucher_name: text('2026-02-03_\n'),
        max_uses: 1,
        expire_minutes: 60,
        created_at: text('2026-02-03 08:00:00'),
        status: text('expired'),
        expires_at: php('2026-02-03 10:00:00'),
      },
    ]),
  ];
};
