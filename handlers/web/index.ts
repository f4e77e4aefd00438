import { addController } from './addController.js';
import { addProfile } from './addProfile.js';
import { addSites } from './addSites.js';
import { addWebhook } from './addWebhook.js';
import { beginSecondFactor } from './beginSecondFactor.js';
import { beginSingleSignOn } from './beginSingleSignOn.js';
import { changeController } from './changeController.js';
import { changePassword } from './changePassword.js';
import { changeProfile } from './changeProfile.js';
import { changeSite } from './changeSite.js';
import { changeUser } from './changeUser.js';
import { changeWebhook } from './changeWebhook.js';
import { confirmSecondFactor } from './confirmSecondFactor.js';
import { createFirstAdministrator } from './createFirstAdministrator.js';
import { createKey } from './createKey.js';
import { createUser } from './createUser.js';
import { endOwnSession } from './endOwnSession.js';
import { endSessions } from './endSessions.js';
import { endSingleSignOn } from './endSingleSignOn.js';
import { exportAudit } from './exportAudit.js';
import { followEvents } from './followEvents.js';
import { getLogo } from './getLogo.js';
import { getOverview } from './getOverview.js';
import { getSession } from './getSession.js';
import { getSignInRules } from './getSignInRules.js';
import { getStart } from './getStart.js';
import { getSystem } from './getSystem.js';
import { listAudit } from './listAudit.js';
import { listControllers } from './listControllers.js';
import { listDeliveries } from './listDeliveries.js';
import { listKeys } from './listKeys.js';
import { listOwnSessions } from './listOwnSessions.js';
import { listProfiles } from './listProfiles.js';
import { listSessions } from './listSessions.js';
import { listSites } from './listSites.js';
import { listUsers } from './listUsers.js';
import { listWebhooks } from './listWebhooks.js';
import { removeController } from './removeController.js';
import { removeLogo } from './removeLogo.js';
import { removeProfile } from './removeProfile.js';
import { removeSecondFactor } from './removeSecondFactor.js';
import { removeUser } from './removeUser.js';
import { removeWebhook } from './removeWebhook.js';
import { renewRecoveryCodes } from './renewRecoveryCodes.js';
import { resendDelivery } from './resendDelivery.js';
import { resetPassword } from './resetPassword.js';
import { resetSecondFactor } from './resetSecondFactor.js';
import { restoreKey } from './restoreKey.js';
import { revokeKey } from './revokeKey.js';
import { setLanguage } from './setLanguage.js';
import { setLogo } from './setLogo.js';
import { setSignInRules } from './setSignInRules.js';
import { signIn } from './signIn.js';
import { signOut } from './signOut.js';
import { testController } from './testController.js';
import { testWebhook } from './testWebhook.js';
import type { WebHandlers } from './handler.js';

/** Every operation of web.yaml. */
export const webHandlers: WebHandlers = {
  getStart,
  createFirstAdministrator,
  getSession,
  signIn,
  signOut,
  beginSingleSignOn,
  endSingleSignOn,
  setLanguage,
  changePassword,
  listOwnSessions,
  endOwnSession,
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  listUsers,
  createUser,
  changeUser,
  removeUser,
  resetPassword,
  resetSecondFactor,
  listSessions,
  endSessions,
  getSignInRules,
  setSignInRules,
  listKeys,
  createKey,
  revokeKey,
  restoreKey,
  listSites,
  changeSite,
  getLogo,
  setLogo,
  removeLogo,
  listProfiles,
  addProfile,
  changeProfile,
  removeProfile,
  listControllers,
  addController,
  testController,
  changeController,
  removeController,
  addSites,
  listWebhooks,
  addWebhook,
  changeWebhook,
  removeWebhook,
  testWebhook,
  listDeliveries,
  resendDelivery,
  getOverview,
  getSystem,
  listAudit,
  exportAudit,
  followEvents,
};
