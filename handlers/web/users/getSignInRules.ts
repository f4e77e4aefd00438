import type { WebHandler } from '../handler.js';

export const getSignInRules: WebHandler<'getSignInRules'> = async ({ reply }, { people }) => {
  const { secondFactorRoles } = await people.signInRules.get();
  return reply(200, { secondFactorRoles: [...secondFactorRoles] });
};
