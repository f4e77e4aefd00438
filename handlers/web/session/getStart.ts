import type { WebHandler } from '../handler.js';

export const getStart: WebHandler<'getStart'> = async ({ reply }, { auth, service, accountMail }) =>
  reply(200, {
    needsAdministrator: !(await auth.users.exist()),
    singleSignOn: (await auth.singleSignOn())?.name ?? null,
    canResetPassword: await accountMail.isSetUp(),
    isDemo: service.isDemo,
  });
