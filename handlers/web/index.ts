import { addController } from './addController.js';
import { addKiosk } from './addKiosk.js';
import { addPrinter } from './addPrinter.js';
import { addProfile } from './addProfile.js';
import { addSites } from './addSites.js';
import { addWebhook } from './addWebhook.js';
import { beginSecondFactor } from './beginSecondFactor.js';
import { beginSingleSignOn } from './beginSingleSignOn.js';
import { changeController } from './changeController.js';
import { changePassword } from './changePassword.js';
import { changePrinter } from './changePrinter.js';
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
import { exportSelectedVouchers } from './exportSelectedVouchers.js';
import { exportVouchers } from './exportVouchers.js';
import { findVouchers } from './findVouchers.js';
import { followEvents } from './followEvents.js';
import { getDesk } from './getDesk.js';
import { getKiosk } from './getKiosk.js';
import { getLogo } from './getLogo.js';
import { getOrder } from './getOrder.js';
import { getOverview } from './getOverview.js';
import { getSession } from './getSession.js';
import { getSignInRules } from './getSignInRules.js';
import { getStart } from './getStart.js';
import { getSystem } from './getSystem.js';
import { getVoucher } from './getVoucher.js';
import { listAudit } from './listAudit.js';
import { listControllers } from './listControllers.js';
import { listDeliveries } from './listDeliveries.js';
import { listKeys } from './listKeys.js';
import { listKiosks } from './listKiosks.js';
import { listOrders } from './listOrders.js';
import { listOwnSessions } from './listOwnSessions.js';
import { listPrinters } from './listPrinters.js';
import { listProfiles } from './listProfiles.js';
import { listSessions } from './listSessions.js';
import { listSites } from './listSites.js';
import { listUsers } from './listUsers.js';
import { listWebhooks } from './listWebhooks.js';
import { placeOrder } from './placeOrder.js';
import { printReceipts } from './printReceipts.js';
import { printVouchers } from './printVouchers.js';
import { removeController } from './removeController.js';
import { removeKiosk } from './removeKiosk.js';
import { removeLogo } from './removeLogo.js';
import { removePrinter } from './removePrinter.js';
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
import { revokeVouchers } from './revokeVouchers.js';
import { rotateWebhookSecret } from './rotateWebhookSecret.js';
import { sendEmail } from './sendEmail.js';
import { setLanguage } from './setLanguage.js';
import { setLogo } from './setLogo.js';
import { setSignInRules } from './setSignInRules.js';
import { signIn } from './signIn.js';
import { signOut } from './signOut.js';
import { takeVoucher } from './takeVoucher.js';
import { testController } from './testController.js';
import { testPrinter } from './testPrinter.js';
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
  getDesk,
  getOrder,
  listOrders,
  placeOrder,
  revokeVouchers,
  listKiosks,
  addKiosk,
  removeKiosk,
  getKiosk,
  takeVoucher,
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
  rotateWebhookSecret,
  listDeliveries,
  resendDelivery,
  findVouchers,
  getVoucher,
  exportVouchers,
  exportSelectedVouchers,
  sendEmail,
  printVouchers,
  listPrinters,
  addPrinter,
  changePrinter,
  removePrinter,
  testPrinter,
  printReceipts,
  getOverview,
  getSystem,
  listAudit,
  exportAudit,
  followEvents,
};
