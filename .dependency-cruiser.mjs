// The directions of imports, types included. `npm run structure` and test/tools/structure.test.ts hold them.

/** The rooms of src from the bottom to the top. Each may import those before it, so rooms form no cycle. */
export const rooms = [
  // What knows no noun.
  ...['errors', 'lib', 'log', 'metrics', 'tracing', 'jobs', 'i18n', 'database', 'secrets', 'ssrf'],
  ...['contract', 'http', 'framework', 'pages', 'rateLimit', 'config'],
  // A room per noun, with its rules and its table.
  ...[
    'audit',
    'connections',
    'apiKeys',
    'sites',
    'branding',
    'users',
    'auth',
    'liveEvents',
    'controllers',
    'profiles',
    'orderLimits',
    'outbox',
    'webhooks',
  ],
  ...[
    'vouchers',
    'kiosks',
    'guestPages',
    'printing',
    'guestMessages',
    'sms',
    'email',
    'retention',
    'diagnostics',
    'reports',
    'import',
  ],
  // What puts them together.
  ...['app', 'backup', 'configuration', 'cli', 'main'],
];

/** The rooms of the web UI, likewise. */
export const webRooms = [
  ...['texts', 'lib', 'api', 'i18n', 'session', 'notify'],
  ...['components', 'vouchers', 'shell', 'pages', 'app', 'main'],
];

const pathOf = (room) => `^src/${room}(/|\\.ts$)`;
const webPathOf = (room) => `^web/src/${room}(/|\\.tsx$)`;
const nouns = rooms.slice(rooms.indexOf('audit'), rooms.indexOf('app'));

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

const downwards = (order, path, prefix = '') =>
  order
    .slice(0, -1)
    .map((room, index) =>
      forbid(
        `${prefix}${room}-imports-downwards`,
        { path: path(room) },
        { path: order.slice(index + 1).map(path) },
      ),
    );

export default {
  forbidden: [
    forbid('no-cycle', {}, { circular: true }),
    ...downwards(rooms, pathOf),
    ...downwards(webRooms, webPathOf, 'web-'),
    forbid('nouns-know-no-http', { path: nouns.map(pathOf) }, { path: pathOf('http') }),
    forbid(
      'only-composition-knows-handlers',
      { path: '^(src|simulators)/', pathNot: pathOf('app') },
      { path: '^handlers/' },
    ),
    forbid(
      'handlers-know-services',
      { path: '^handlers/' },
      { path: ['app', 'cli', 'main', 'http', 'pages', 'database'].map(pathOf) },
    ),
    // The search is one statement in several files. A simulated controller has a database file of its own.
    forbid(
      'only-tables-know-knex',
      {
        path: '^(src|handlers)/',
        pathNot: [pathOf('database'), 'Table\\.ts$', '^src/vouchers/search/', '^src/controllers/simulated/'],
      },
      { path: '^node_modules/knex/' },
    ),
    // Any service can be built on them.
    forbid(
      'contract-and-http-know-no-service',
      { path: ['contract', 'http', 'framework'].map(pathOf) },
      {
        path: '^(src|handlers|generated|simulators|scripts|web|test|tools|examples)/',
        pathNot: [
          ...['contract', 'http', 'framework', 'lib', 'log'].map(pathOf),
          '^src/errors/(codedError|httpProblem)\\.ts$',
        ],
      },
    ),
    // The contract run works with any service: it knows contracts, and its scenarios know it.
    forbid(
      'contract-run-knows-no-service',
      { path: '^tools/contract/' },
      {
        path: '^(src|handlers|simulators|scripts|web|test|generated|tools/bench)/',
        pathNot: ['contract', 'lib'].map(pathOf),
      },
    ),
    // The web UI knows the service by its contract; it shares the paths of the pages, how colours are derived, the list
    // of the guests' languages, and which letters can be printed.
    forbid(
      'web-knows-the-contract',
      { path: '^web/' },
      {
        path: '^(src|handlers|scripts|simulators|tools)/',
        pathNot: [
          '^src/pages/pagePaths',
          '^src/branding/palette',
          '^src/i18n/guestLanguages',
          '^src/printing/printableText',
        ],
      },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
