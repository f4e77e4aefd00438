import type { WebHandler } from '../handler.js';

export const getStart: WebHandler<'getStart'> = async ({ reply }, { people, service }) =>
  reply(200, {
    needsAdministrator: !(await people.users.exist()),
    singleSignOn: people.singleSignOn?.name ?? null,
    isDemo: service.isDemo,
  });
