import type { WebHandler } from '../handler.js';

export const getStart: WebHandler<'getStart'> = async ({ reply }, { auth, service }) =>
  reply(200, {
    needsAdministrator: !(await auth.users.exist()),
    singleSignOn: auth.singleSignOn?.name ?? null,
    isDemo: service.isDemo,
  });
