import type { WebHandler } from '../handler.js';

export const getSignInRules: WebHandler<'getSignInRules'> = async ({ reply }, { auth }) => {
  const { secondFactorRoles } = await auth.signInRules.get();
  return reply(200, { secondFactorRoles: [...secondFactorRoles] });
};
