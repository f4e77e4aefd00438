import { expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.js';
import { commonNames, findUnknownSettings, settingNames } from '../../src/config/unknownSettings.js';
import { run } from '../support/cli.js';
import { makeFolder } from '../support/folder.js';

test('every variable that is read is known, and no other one', () => {
  const read = new Set<string>();
  const values: Record<string, string> = {
    OIDC_ISSUER: 'https://id.example.org',
    OIDC_CLIENT_ID: 'voucherd',
    OIDC_CLIENT_SECRET: 'geheim',
    OIDC_EMAIL_PROOF: 'domain',
    OIDC_EMAIL_DOMAINS: 'example.org',
  };
  readConfig(new Proxy(values, { get: (target, name: string) => (read.add(name), target[name]) }));
  expect([...read].sort()).toEqual([...settingNames, ...commonNames].sort());
});

test('a variable that is misspelt is reported, with the one that is meant', () => {
  const misspelt: [how: string, name: string, meant: string][] = [
    ['a letter left out', 'DATABSE_URL', 'DATABASE_URL'],
    ['two letters exchanged', 'DATABASE_ULR', 'DATABASE_URL'],
    ['two letters of a short name exchanged', 'SMPT_URL', 'SMTP_URL'],
    ['two letters exchanged at the end', 'MAIL_FORM', 'MAIL_FROM'],
    ['a letter too many', 'SYNC_INTERVALL_S', 'SYNC_INTERVAL_S'],
    ['no unit', 'SYNC_INTERVAL', 'SYNC_INTERVAL_S'],
    ['no underscore', 'DATADIR', 'DATA_DIR'],
    ['another case', 'data_dir', 'DATA_DIR'],
    ['a wrong ending of a file', 'SECRET_KEY_FILES', 'SECRET_KEY_FILE'],
    ['the name of the program before it', 'VOUCHERD_PORT', 'PORT'],
    ['the name of the program before it, misspelt', 'VOUCHERD_LOG_LEVL', 'LOG_LEVEL'],
  ];
  for (const [how, name, meant] of misspelt)
    expect([how, ...findUnknownSettings({ [name]: 'x', PATH: '/bin' })]).toEqual([how, { name, meant }]);
});

test('variables of other programs, and those without a value, are not reported', () => {
  const others = [
    ...['PATH', 'HOME', 'HOSTNAME', 'POST', 'PORTS', 'HOSTS', 'LANG', 'TZ', 'TERM', 'PWD', 'USER', 'SHELL'],
    ...[
      'SSL_CERT_FILE',
      'SSL_CERT_DIR',
      'XDG_DATA_DIRS',
      'XDG_DATA_HOME',
      'NODE_ENV',
      'NODE_OPTIONS',
      'NO_PROXY',
    ],
    ...['LISTEN_FDS', 'LISTEN_PID', 'NOTIFY_SOCKET', 'INVOCATION_ID', 'JOURNAL_STREAM', 'STATE_DIRECTORY'],
    ...['PGHOST', 'PGPASSWORD', 'POSTGRES_URL', 'MYSQL_URL', 'REDIS_URL', 'HTTP_PROXY', 'HTTPS_PROXY', 'CI'],
    ...['KUBERNETES_PORT', 'KUBERNETES_SERVICE_HOST', 'VOUCHERD_SERVICE_HOST', 'VOUCHERD_PORT_3000_TCP'],
    ...['npm_package_name', 'npm_config_registry', 'LC_ALL', 'EDITOR', 'MAIL', 'LOGNAME', 'OLDPWD'],
  ];
  const env = Object.fromEntries([...others, ...settingNames].map((name) => [name, 'x']));
  const unset = { DATABSE_URL: '', SYNC_INTERVALL_S: undefined };
  const ofKubernetes = { VOUCHERD_PORT: 'tcp://10.0.0.7:3000' };
  expect(findUnknownSettings({ ...env, ...unset, ...ofKubernetes })).toEqual([]);
});

test('a hostile length costs nothing', () => {
  expect(findUnknownSettings({ ['DATABASE_URL'.repeat(5000)]: 'x' })).toEqual([]);
});

test('commands and doctor tell of it, and never its value', async () => {
  const folder = await makeFolder();
  const env = { DATA_DIR: folder.path, PORT: '1', DATABSE_URL: 'postgres://u:Geheim47@h/d' };
  const line = 'DATABSE_URL is not a setting of voucherd and has no effect; did you mean DATABASE_URL?';
  expect((await run(['migrate'], env)).err).toContain(`${line}\n`);
  const { out, err } = await run(['doctor'], env);
  await folder.remove();
  expect(out).toContain(`FAIL  configuration   ${line}`);
  expect(out + err).not.toContain('Geheim47');
});
