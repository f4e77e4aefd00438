/** Where the pages are. The service answers each with the same document, whose script shows the page. */
export const pagePaths = [
  '/',
  '/first-start',
  '/sign-in',
  '/set-password',
  '/desk',
  '/vouchers',
  '/overview',
  '/reports',
  '/account',
  '/controllers',
  '/sites',
  '/profiles',
  '/printers',
  '/kiosks',
  '/kiosk',
  '/keys',
  '/webhooks',
  '/users',
  '/limits',
  '/mail',
  '/sms',
  '/branding',
  '/audit',
  '/system',
] as const;

/** Public pages, each at an address of its own. */
export const guestPagePath = '/guest/:slug';

export type PagePath = (typeof pagePaths)[number];
