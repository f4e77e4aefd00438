import { addController } from './controllers/addController.js';
import { addKiosk } from './kiosks/addKiosk.js';
import { addPrinter } from './printers/addPrinter.js';
import { addProfile } from './profiles/addProfile.js';
import { addSites } from './controllers/addSites.js';
import { addWebhook } from './webhooks/addWebhook.js';
import { beginSecondFactor } from './session/beginSecondFactor.js';
import { beginSingleSignOn } from './session/beginSingleSignOn.js';
import { changeController } from './controllers/changeController.js';
import { changePassword } from './session/changePassword.js';
import { changePrinter } from './printers/changePrinter.js';
import { changeProfile } from './profiles/changeProfile.js';
import { changeSite } from './sites/changeSite.js';
import { changeUser } from './users/changeUser.js';
import { changeWebhook } from './webhooks/changeWebhook.js';
import { confirmSecondFactor } from './session/confirmSecondFactor.js';
import { createFirstAdministrator } from './session/createFirstAdministrator.js';
import { createKey } from './keys/createKey.js';
import { createUser } from './users/createUser.js';
import { endOwnSession } from './session/endOwnSession.js';
import { endSessions } from './users/endSessions.js';
import { endSingleSignOn } from './session/endSingleSignOn.js';
import { exportAudit } from './audit/exportAudit.js';
import { exportSelectedVouchers } from './vouchers/exportSelectedVouchers.js';
import { exportVouchers } from './vouchers/exportVouchers.js';
import { findVouchers } from './vouchers/findVouchers.js';
import { followEvents } from './system/followEvents.js';
import { getDesk } from './desk/getDesk.js';
import { getKiosk } from './kiosks/getKiosk.js';
import { getLogo } from './sites/getLogo.js';
import { getOrder } from './desk/getOrder.js';
import { getOverview } from './system/getOverview.js';
import { getSession } from './session/getSession.js';
import { getSignInRules } from './users/getSignInRules.js';
import { getStart } from './session/getStart.js';
import { getSystem } from './system/getSystem.js';
import { getVoucher } from './vouchers/getVoucher.js';
import { listAudit } from './audit/listAudit.js';
import { listControllers } from './controllers/listControllers.js';
import { listDeliveries } from './webhooks/listDeliveries.js';
import { listKeys } from './keys/listKeys.js';
import { listKiosks } from './kiosks/listKiosks.js';
import { listOrders } from './desk/listOrders.js';
import { listOwnSessions } from './session/listOwnSessions.js';
import { listPrinters } from './printers/listPrinters.js';
import { listProfiles } from './profiles/listProfiles.js';
import { listSessions } from './users/listSessions.js';
import { listSites } from './sites/listSites.js';
import { listUsers } from './users/listUsers.js';
import { listWebhooks } from './webhooks/listWebhooks.js';
import { placeOrder } from './desk/placeOrder.js';
import { printReceipts } from './vouchers/printReceipts.js';
import { printVouchers } from './vouchers/printVouchers.js';
import { removeController } from './controllers/removeController.js';
import { removeKiosk } from './kiosks/removeKiosk.js';
import { removeLogo } from './sites/removeLogo.js';
import { removePrinter } from './printers/removePrinter.js';
import { removeProfile } from './profiles/removeProfile.js';
import { removeSecondFactor } from './session/removeSecondFactor.js';
import { removeUser } from './users/removeUser.js';
import { removeWebhook } from './webhooks/removeWebhook.js';
import { renewRecoveryCodes } from './session/renewRecoveryCodes.js';
import { resendDelivery } from './webhooks/resendDelivery.js';
import { resetPassword } from './users/resetPassword.js';
import { resetSecondFactor } from './users/resetSecondFactor.js';
import { restoreKey } from './keys/restoreKey.js';
import { revokeKey } from './keys/revokeKey.js';
import { revokeVouchers } from './vouchers/revokeVouchers.js';
import { rotateWebhookSecret } from './webhooks/rotateWebhookSecret.js';
import { sendEmail } from './vouchers/sendEmail.js';
import { setLanguage } from './session/setLanguage.js';
import { setLogo } from './sites/setLogo.js';
import { setSignInRules } from './users/setSignInRules.js';
import { signIn } from './session/signIn.js';
import { signOut } from './session/signOut.js';
import { takeVoucher } from './kiosks/takeVoucher.js';
import { testController } from './controllers/testController.js';
import { testPrinter } from './printers/testPrinter.js';
import { testWebhook } from './webhooks/testWebhook.js';
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
