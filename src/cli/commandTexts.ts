/** A command line without the program's name, and what it is for. */
type Example = readonly [commandLine: string, purpose: string];

/** What is to be known of a command beyond its options. */
export interface CommandTexts {
  /** Paragraphs of Markdown, for the documents. */
  readonly notes?: string;
  /** For `--help` and the documents. */
  readonly examples?: readonly Example[];
}

const passwordSources =
  'The password is typed at a prompt, or comes from `--password-file` or `--password-env`: as an argument, other users of the machine could see it. `--generate` makes one and prints it, alone.';

/** The texts by the words that call a command. */
export const commandTexts: Readonly<Record<string, CommandTexts>> = {
  serve: {
    notes:
      'Runs until `SIGTERM` or `SIGINT`, which drain it: see [shutdown.md](shutdown.md). It creates the SQLite database when there is none, and migrates it. `--demo` adds a simulated controller, two sites and a key that is revoked at the end; it is refused beside real controllers.',
    examples: [
      ['serve', 'run with the settings of the environment'],
      ['serve --demo', 'try it without a controller'],
    ],
  },
  mock: {
    notes: 'See [contract.md](contract.md#mocks) for what it answers.',
    examples: [
      ['mock', 'answer from the examples of the contract'],
      ['mock --contract draft.yaml --dynamic --seed 7', 'generate answers for a draft, the same each time'],
    ],
  },
  proxy: {
    notes:
      'Violations are printed as they happen, and a summary at the end: see [contract.md](contract.md#the-proxy).',
    examples: [
      ['proxy http://localhost:3000', 'watch a service'],
      ['proxy https://vouchers.example.org --fail --port 8080', 'refuse what violates the contract'],
    ],
  },
  contract: {
    notes:
      'Needs no checkout and no database. Without `--url` only `breaking` and `examples` run. It ends with 0 when nothing is wrong, with 1 when something is, and with 2 when the command line is wrong: see [contract-run.md](contract-run.md#any-service).',
    examples: [
      [
        'contract --contract openapi.yaml --url https://api.example.org --key-env KEY',
        'read what a service answers, and compare it with its contract',
      ],
      [
        'contract --contract openapi.yaml --url http://localhost:8080 --allow-writes --scenarios scenarios.mjs',
        'try everything on a service of the CI',
      ],
      ['contract breaking --contract openapi.yaml --against origin/main', 'compare with the contract before'],
    ],
  },
  types: {
    notes:
      'For services that are built on `voucherd/contract`: see [framework.md](framework.md). The contract has to be one that can be served; otherwise its mistake is shown with file, line and column. Types are made by openapi-typescript, which the project has to have: `npm install --save-dev openapi-typescript@7 typescript@5`.',
    examples: [
      ['types openapi.yaml --out src/contract.ts', 'write the types of operations, for handlers'],
      ['types openapi.yaml --out src/contract.ts --check', 'fail in the CI when they are not up to date'],
    ],
  },
  migrate: {
    notes:
      'On PostgreSQL a migration that waits for a lock, for instance during a backup, delays others by 0.2 s every two seconds. [CHANGELOG.md](../CHANGELOG.md) lists what each migration costs.',
    examples: [['migrate', 'bring the database up to date before the new version starts']],
  },
  'database copy': {
    notes:
      'The service has to be stopped. After an interruption run it again: it starts from the beginning. [upgrade.md](upgrade.md#moving-to-another-database) goes step by step.',
    examples: [
      ['database copy --from /var/lib/voucherd', 'from SQLite, in the DATA_DIR of a service, to PostgreSQL'],
      ['database copy --to /var/lib/voucherd/voucherd.sqlite', 'from PostgreSQL to a new SQLite file'],
    ],
  },
  'key create': {
    examples: [
      ['key create --name Booking --scope write', 'for a client that creates vouchers'],
      [
        'key create --name Dashboard --scope read --rate-limit 600 --expires 2027-12-31',
        'for one that reads, until the end of a year',
      ],
    ],
  },
  'key list': { examples: [['key list', 'see who has a key, and when it was last used']] },
  'key revoke': { examples: [['key revoke 1a2b3c4d', 'end a key; it can not be undone']] },
  'user create': {
    notes: passwordSources,
    examples: [
      ['user create --name Anna --role admin', 'the first administrator; asks for the password'],
      [
        'user create --name Reception --role staff --site 1 2 --generate',
        'staff of two sites, with a generated password',
      ],
    ],
  },
  'user list': { examples: [['user list', 'see users, roles and last sign-ins']] },
  'user change': {
    examples: [
      ['user change Anna --name "Anna Berger"', 'give somebody another name'],
      ['user change Anna --email anna@example.org', 'set or replace the e-mail address'],
    ],
  },
  'user role': {
    notes: 'The last administrator stays one.',
    examples: [['user role Anna staff', 'take the role of administrator away']],
  },
  'user disable': { examples: [['user disable Anna', 'lock somebody out at once']] },
  'user enable': { examples: [['user enable Anna', 'let them in again']] },
  'user reset-password': {
    notes: passwordSources,
    examples: [['user reset-password Anna --generate', 'help somebody who forgot it']],
  },
  'user reset-second-factor': {
    examples: [['user reset-second-factor Anna', 'help somebody who lost their phone']],
  },
  'user reset-single-sign-on': {
    notes:
      'For a change of provider, or when it has given the same person another id. The next sign-in matches by the e-mail address again.',
    examples: [['user reset-single-sign-on Anna', 'match Anna again']],
  },
  'user sites': {
    examples: [
      ['user sites Reception', 'show them'],
      ['user sites Reception 1 3', 'assign two, and no others'],
      ['user sites Reception --none', 'take all away'],
    ],
  },
  'site add': {
    notes:
      'The id is what clients send as `site_id`. `controller test` shows the sites that a controller has, with the command that adds each.',
    examples: [['site add --name "Main house" --controller Console --controller-site default', 'add a site']],
  },
  'site list': { examples: [['site list', 'see ids, names and controllers']] },
  'site rename': { examples: [['site rename 1 "Old house"', 'give it another name; its id stays']] },
  'site activate': { examples: [['site activate 2', 'allow orders again']] },
  'site deactivate': { examples: [['site deactivate 2', 'refuse orders; the records stay']] },
  'voucher list': {
    examples: [
      ['voucher list 1', 'the newest vouchers of a site'],
      ['voucher list 1 --status valid --name Berger --limit 10', 'valid ones with a name'],
    ],
  },
  'voucher revoke': {
    notes:
      'Deletes vouchers on their controllers; in the records they are expired then. Vouchers whose controller does not answer stay unchanged, and the command fails.',
    examples: [['voucher revoke 12345-67890', 'make a code worthless']],
  },
  sync: {
    notes: 'The service does the same every `SYNC_INTERVAL_S`. Both may run at the same time.',
    examples: [
      ['sync', 'compare all controllers'],
      ['sync Console', 'compare one'],
    ],
  },
  'controller add': {
    notes:
      'Secrets are typed at a prompt, or come from a file or a variable. [controllers.md](controllers.md) says what each kind needs. The kind `simulated` needs no hardware: it keeps its vouchers in a file of its own in `DATA_DIR`, and can be made slow or faulty.',
    examples: [
      ['controller add --name Console --kind unifi --url https://192.168.1.1', 'a UniFi console'],
      ['controller add --name Test --kind simulated --latency-ms 500', 'one that is not there, and slow'],
    ],
  },
  'controller set': {
    examples: [
      ['controller set Console --url https://192.168.1.2', 'it has moved'],
      ['controller set Test --fault none', 'end a simulated fault'],
    ],
  },
  'controller list': { examples: [['controller list', 'see names, kinds and addresses']] },
  'controller test': {
    examples: [
      ['controller test Console', 'find out why it does not work'],
      ['controller test Console --create', 'the same with a voucher, which is revoked at once'],
    ],
  },
  'controller pin': {
    examples: [
      ['controller pin Console', 'show the certificate, to compare it'],
      ['controller pin Console --yes', 'trust what it shows now'],
    ],
  },
  'controller credentials': {
    examples: [['controller credentials Console --api-key-file key.txt', 'give a new API key']],
  },
  'controller remove': { examples: [['controller remove Console', 'forget it and its credentials']] },
  'webhook add': {
    notes:
      'The address is a secret of many services, so it is typed at a prompt or comes from a file or a variable. [notifications.md](notifications.md) shows what each format sends.',
    examples: [
      ['webhook add --name Team --format slack --language en', 'notify a channel; asks for the address'],
      ['webhook add --name CRM --format generic --url-file url.txt', 'notify a program, signed'],
    ],
  },
  'webhook list': { examples: [['webhook list', 'see formats, masked addresses and states']] },
  'webhook enable': { examples: [['webhook enable Team', 'send again, from now on']] },
  'webhook disable': { examples: [['webhook disable Team', 'send nothing for now']] },
  'webhook controllers': {
    examples: [['webhook controllers Team on', "tell it when a controller can't be reached"]],
  },
  'webhook rename': { examples: [['webhook rename Team Reception', 'give it another name']] },
  'webhook remove': { examples: [['webhook remove Team', 'end it, with its deliveries']] },
  'webhook rotate-secret': {
    examples: [['webhook rotate-secret CRM --overlap-hours 48', 'change the secret within two days']],
  },
  'webhook test': {
    notes:
      'Needs the `WEBHOOK_ALLOW_PRIVATE` of the service in its own environment when the address is a private one.',
    examples: [['webhook test Team', 'send a message, and show what comes back']],
  },
  'webhook deliveries': {
    examples: [
      ['webhook deliveries --state failed', 'see what did not arrive, and why'],
      ['webhook deliveries Team --limit 5', 'the last ones to one webhook'],
    ],
  },
  'webhook resend': { examples: [['webhook resend 42', 'try a failed delivery again']] },
  'secret rotate': {
    notes:
      'Without `SECRET_KEY` a new `secret.key` is made. With it, the new key is given, and then set wherever voucherd runs: see [notifications.md](notifications.md).',
    examples: [
      ['secret rotate', 'replace the key in DATA_DIR'],
      ['secret rotate --new-key-file new-key.txt', 'replace the key of SECRET_KEY'],
    ],
  },
  backup: {
    notes:
      'Works while the service runs and writes. The file appears when it is verified, and never replaces another one. Without `--with-key` keep a copy of `secret.key` elsewhere. With PostgreSQL it prints the line for `pg_dump`. [backup.md](backup.md) goes through it step by step.',
    examples: [
      ['backup /var/backups/voucherd/2026-11-17.backup', 'copy the database; the key stays where it is'],
      ['backup --with-key move.backup', 'everything in one file; asks for a pass phrase'],
    ],
  },
  restore: {
    notes:
      'Overwrites nothing, migrates a backup of an earlier version, refuses one of a later version, and says which secrets the key does not open. When it fails, nothing is left. Stop the service first.',
    examples: [
      [
        'restore 2026-11-17.backup --key-file secret.key',
        'make the database in DATA_DIR, with a copy of the key',
      ],
      [
        'restore /mnt/copied.backup --sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        'refuse a file that is not the one that `backup` has made',
      ],
      ['restore move.backup --data-dir /tmp/trial', 'try a backup that has the key, beside the service'],
    ],
  },
  'retention run': {
    notes:
      'Needs the `RETAIN_…` settings and `AUDIT_DAYS` of the service in its environment. It removes in the same small batches, beside a running service too: see [Retention](operate.md#retention). While another process removes, it is refused. `--dry-run` counts vouchers only, not the e-mails and orders that go with them.',
    examples: [
      ['retention run --dry-run', 'see how many rows of each kind would go'],
      ['retention run', 'remove them now'],
    ],
  },
  'config export': {
    notes:
      'One readable file (YAML) of controllers, sites, profiles, printers, webhooks, kiosks, limits, rules for sign-in, the mail server, the SMS provider, single sign-on, own texts and the branding: no vouchers, users, API keys, logos of sites or pictures of kiosks. Credentials, Wi-Fi passwords and addresses of webhooks are sealed with a pass phrase. [backup.md](backup.md#configuration-alone) explains the file.',
    examples: [
      ['config export voucherd.yaml', 'asks for a pass phrase, twice'],
      ['config export voucherd.yaml --without-secrets', 'for a repository, or to compare two services'],
    ],
  },
  'config import': {
    notes:
      'Everything is checked first, and written in one transaction, also while the service runs. What is there and differs stays as it is, unless `--update` is given. Nothing is removed. A second import changes nothing.',
    examples: [
      ['config import voucherd.yaml --dry-run', 'see what would be created, and what differs'],
      ['config import voucherd.yaml --update', 'create what is missing, and change what differs'],
    ],
  },
  'import php-tool': {
    notes: '[import-php-tool.md](import-php-tool.md) goes through it step by step.',
    examples: [
      ['import php-tool --config config.php --dry-run', 'see what would be imported'],
      ['import php-tool --dump tool.sql --app-key-file app-key.txt', 'import a dump of its database'],
    ],
  },
  doctor: {
    notes:
      'Needs the settings of the service, also `HOST` and `PORT`, to find it. It changes nothing. `FAIL` is what is wrong now, with a remedy below it; `WARN` is what went wrong in the last hour and may be over; `todo` is a next step. Only `FAIL` makes it end with 1.',
    examples: [
      ['doctor', 'find out what is wrong'],
      ['doctor --json', 'the same for a program'],
    ],
  },
};
