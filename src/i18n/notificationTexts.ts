/** What chat platforms get from webhooks. Never a voucher's code. */
export const englishNotifications = {
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
} as const;

/** The same in German. */
export const germanNotifications = {
  'created-one': '1 Voucher erstellt',
  'created-many': '{count} Voucher erstellt',
  test: 'Test: {notification}',
  site: 'Standort',
  source: 'Quelle',
  'controller.unreachable': 'Controller nicht erreichbar',
  'controller.reachable': 'Controller wieder erreichbar',
  controller: 'Controller',
  sites: 'Standorte',
  reason: 'Grund',
  unknown: 'unbekannt',
} as const satisfies Readonly<Record<keyof typeof englishNotifications, string>>;

/** The same in French. */
export const frenchNotifications = {
  'created-one': '1 coupon créé',
  'created-many': '{count} coupons créés',
  test: 'Test : {notification}',
  site: 'Site',
  source: 'Origine',
  'controller.unreachable': 'Contrôleur injoignable',
  'controller.reachable': 'Contrôleur de nouveau joignable',
  controller: 'Contrôleur',
  sites: 'Sites',
  reason: 'Motif',
  unknown: 'inconnu',
} as const satisfies Readonly<Record<keyof typeof englishNotifications, string>>;

/** The same in Italian. */
export const italianNotifications = {
  'created-one': '1 voucher creato',
  'created-many': '{count} voucher creati',
  test: 'Test: {notification}',
  site: 'Sede',
  source: 'Origine',
  'controller.unreachable': 'Controller non raggiungibile',
  'controller.reachable': 'Controller di nuovo raggiungibile',
  controller: 'Controller',
  sites: 'Sedi',
  reason: 'Motivo',
  unknown: 'sconosciuto',
} as const satisfies Readonly<Record<keyof typeof englishNotifications, string>>;

/** The same in Spanish. */
export const spanishNotifications = {
  'created-one': '1 vale creado',
  'created-many': '{count} vales creados',
  test: 'Prueba: {notification}',
  site: 'Sede',
  source: 'Origen',
  'controller.unreachable': 'No se puede acceder al controlador',
  'controller.reachable': 'Se puede acceder de nuevo al controlador',
  controller: 'Controlador',
  sites: 'Sedes',
  reason: 'Motivo',
  unknown: 'desconocido',
} as const satisfies Readonly<Record<keyof typeof englishNotifications, string>>;

/** The same in Dutch. */
export const dutchNotifications = {
  'created-one': '1 voucher aangemaakt',
  'created-many': '{count} vouchers aangemaakt',
  test: 'Test: {notification}',
  site: 'Locatie',
  source: 'Bron',
  'controller.unreachable': 'Controller niet bereikbaar',
  'controller.reachable': 'Controller weer bereikbaar',
  controller: 'Controller',
  sites: 'Locaties',
  reason: 'Reden',
  unknown: 'onbekend',
} as const satisfies Readonly<Record<keyof typeof englishNotifications, string>>;
