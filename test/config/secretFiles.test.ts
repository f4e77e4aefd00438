import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError } from '../../src/config/configError.js';
import { readConfig, type Config } from '../../src/config/config.js';
import { secretSettings } from '../../src/config/secretFiles.js';

const folder = mkdtempSync(join(tmpdir(), 'voucherd-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let files = 0;
const file = (content: string | Buffer): string => {
  const path = join(folder, String((files += 1)));
  writeFileSync(path, content);
  return path;
};

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

const secrets: Readonly<
  Record<
    string,
    { value: string; more?: Record<string, string>; from(config: Config): unknown; read?: unknown }
  >
> = {
  DATABASE_URL: { value: 'postgres://u:geheim@h/d', from: ({ databaseUrl }) => databaseUrl },
  METRICS_TOKEN: { value: 'geheim', from: ({ metricsToken }) => metricsToken },
  OIDC_CLIENT_SECRET: {
    value: 'geheim',
    more: { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'voucherd' },
    from: ({ singleSignOn }) => singleSignOn.clientSecret,
  },
  SECRET_KEY: {
    value: 'ab'.repeat(32),
    from: ({ secretKey }) => secretKey?.toString('hex'),
  },
  SMTP_URL: {
    value: 'smtp://u:geheim@mail.example.org',
    more: { MAIL_FROM: 'wifi@example.org' },
    from: ({ mail }) => mail.smtpUrl,
  },
  SMS_URL: {
    value: 'https://sms.example.org/?key=geheim',
    more: { SMS_PROVIDER: 'http' },
    from: ({ sms }) => sms?.url,
  },
  SMS_SECRET: {
    value: 'geheim SMS 47',
    more: { SMS_PROVIDER: 'http', SMS_URL: 'https://sms.example.org/' },
    from: ({ sms }) => sms?.secret,
  },
  SMS_HEADERS: {
    value: 'X-Key: geheim',
    more: { SMS_PROVIDER: 'http', SMS_URL: 'https://sms.example.org/' },
    from: ({ sms }) => sms?.headers,
  },
};

test('each secret may come from a file, or from its variable, and not from both', () => {
  for (const name of secretSettings) {
    const { value, more = {}, from } = secrets[name]!;
    const read = (env: Record<string, string>) => [name, from(readConfig({ ...more, ...env }))];
    for (const end of ['', '\n', '\r\n'])
      expect(read({ [`${name}_FILE`]: file(value + end) })).toEqual([name, value]);
    expect(read({ [`${name}_FILE`]: '', [name]: value })).toEqual([name, value]);
    const path = file(value);
    expect(refused({ ...more, [`${name}_FILE`]: path, [name]: value })).toBe(
      `${name}_FILE: "${path}" is not allowed: set only one of it and ${name}`,
    );
  }
});

describe('a file of a secret', () => {
  const refusedFile = (path: string): string => refused({ METRICS_TOKEN_FILE: path });
  const says = (path: string, allowed: string): string =>
    `METRICS_TOKEN_FILE: "${path}" is not allowed: ${allowed}`;

  test('that is empty, or not one line of text, is refused', () => {
    for (const content of ['', '\n', '\r\n']) {
      const path = file(content);
      expect([content, refusedFile(path)]).toEqual([content, says(path, 'a file that is not empty')]);
    }
    for (const content of ['zwei\nZeilen', 'eins\n\n', 'a\0b', Buffer.from([0xff, 0xfe])]) {
      const path = file(content);
      const line = says(path, 'a file with one line of text in UTF-8');
      expect([content, refusedFile(path)]).toEqual([content, line]);
    }
  });

  test('that is missing, a folder, a pipe or a device is refused at once', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [folder, pipe, '/dev/zero'])
      expect(refusedFile(path)).toBe(says(path, 'a file that can be read'));
    expect(refusedFile(join(folder, 'missing'))).toBe(says('…', 'a file that can be read'));
  });

  test('whose name is the secret itself is not repeated', () => {
    expect(refused({ METRICS_TOKEN_FILE: 'geheim', METRICS_TOKEN: 'geheim' })).not.toContain('geheim');
    expect(refusedFile('geheim')).not.toContain('geheim');
  });

  test('may be a link, as Kubernetes makes them', () => {
    const link = join(folder, 'link');
    symlinkSync(file('geheim\n'), link);
    expect(readConfig({ METRICS_TOKEN_FILE: link }).metricsToken).toBe('geheim');
  });

  test('may have 64 KiB, and not a byte more', () => {
    const largest = file('x'.repeat(65_536));
    expect(readConfig({ METRICS_TOKEN_FILE: largest }).metricsToken).toHaveLength(65_536);
    for (const size of [65_537, 1e12]) {
      const path = file('x');
      truncateSync(path, size);
      expect(refusedFile(path)).toBe(says(path, 'a file of at most 65536 bytes'));
    }
  });

  test('with a wrong value is named, and its content is not shown', () => {
    for (const [name, allowed] of [
      ['SECRET_KEY', '32 bytes, as 64 hexadecimal characters or as base64'],
      ['SMTP_URL', 'smtp://host:587 or smtps://host:465, with user:password@ if needed'],
      ['DATABASE_URL', 'sqlite:<file> or '],
    ] as const) {
      const path = file('Geheim47');
      const message = refused({ [`${name}_FILE`]: path, MAIL_FROM: 'wifi@example.org' });
      expect(message).toContain(`${name}_FILE: the content of "${path}" is not allowed: ${allowed}`);
      expect(message).not.toContain('Geheim47');
    }
  });

  test('has no part in the refusal of another variable', () => {
    expect(refused({ METRICS_TOKEN_FILE: file('geheim'), PORT: 'x' })).toMatch(/^PORT: "x" is not allowed/);
  });
});
