import type { Database } from '../../../src/database/database.js';

/** The tables that grow with the years. */
export const sampledTables = [
  'vouchers',
  'voucher_words',
  'notifications',
  'outbox',
  'audit_log',
  'orders',
  'idempotency_keys',
  'sessions',
  'key_usage',
] as const;

const at = 1_790_000_000_000;

/** Adds rows as the service writes them to every table but those of vouchers. Each belongs to another order. */
export const addSampleRows = async ({ dialect, write }: Database, rows: number): Promise<void> => {
  const isPostgres = dialect === 'postgres';
  const numbers = isPostgres
    ? `(select n from generate_series(0::bigint, ${String(rows - 1)}) as counted (n)) as numbers`
    : `(with recursive counted (n) as (select 0 union all select n + 1 from counted where n < ${String(rows - 1)})
       select n from counted) as numbers`;
  // 48 bits of time and 80 random ones, as `newId` makes them.
  const id = isPostgres
    ? "lpad(to_hex(1790000000000 + n), 12, '0') || substr(replace(gen_random_uuid()::text, '-', ''), 1, 20)"
    : "printf('%012x', 1790000000000 + n) || lower(hex(randomblob(10)))";
  const uuid = isPostgres
    ? 'gen_random_uuid()::text'
    : "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(6)))";
  const hash = isPostgres
    ? "replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')"
    : 'lower(hex(randomblob(32)))';
  const no = isPostgres ? 'false' : '0';
  const time = `${String(at)} + n * 1000`;
  const fill = (table: string, columns: string, values: string): Promise<unknown> =>
    write.raw(`insert into ${table} (${columns}) select ${values} from ${numbers}`);
  await write('webhooks').insert({
    ...{ name: 'Chat', format: 'slack', language: 'de', sealed_address: 'x', active: true, created_at: at },
  });
  await write('users').insert({
    ...{ name: 'Anna Berger', name_key: 'anna berger', role: 'staff', created_at: at },
    ...{ password_is_temporary: false, sign_in_version: 1 },
  });
  const notified = 'id, count, site, source, created_at, dispatched_at';
  await fill('notifications', notified, `${id}, 1, 'Hauptgebäude', 'API: Buchungssystem', ${time}, ${time}`);
  await write.raw(
    `insert into outbox (kind, webhook_id, notification_id, state, tries, at, holds, created_at)
     select 'webhook', 1, id, 'sent', 1, created_at, ${no}, created_at from notifications order by created_at`,
  );
  await fill(
    'audit_log',
    'at, actor_kind, actor_name, action, subject_kind, subject_id, subject_name, address, detail, count',
    `${time}, 'key', 'Buchungssystem', 'voucher.create', 'voucher', null, '2026-11-14_Familie Berger',
     '198.51.100.7', '{"site":"Hauptgebäude","siteId":1,"count":1}', 1`,
  );
  await fill(
    'orders',
    'id, user_id, site_id, fingerprint, name, count, made, state, created_at',
    `${uuid}, 1, 1, ${hash}, 'Familie Berger', 10, 10, 'made', ${time}`,
  );
  await fill(
    'outbox',
    'kind, key, voucher_id, message, state, tries, at, holds, created_at',
    `'email', ${uuid}, 1 + n, '{"to":"familie.berger@example.org","language":"de","senderId":1,"notice":null}',
     'sent', 1, ${time}, ${no}, ${time}`,
  );
  await fill(
    'idempotency_keys',
    'api_key_id, idempotency_key, fingerprint, intent_id, answer, created_at',
    `1, ${uuid}, ${hash}, ${id},
     '{"success":true,"code":"1234567890","formatted_code":"12345-67890","site":"Hauptgebäude","max_uses":1,"expire_minutes":480}',
     ${time}`,
  );
  await fill(
    'sessions',
    'id, user_id, created_at, last_used_at, address, browser, second_factor',
    `${hash}, 1, ${time}, ${time}, '198.51.100.7',
     'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', ${no}`,
  );
  await fill('key_usage', 'key_id, hour, requests, refusals', `1 + n % 20, n / 20 * 3600000, 500, 1`);
};
