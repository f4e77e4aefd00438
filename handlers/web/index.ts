import { getBranding } from './branding/getBranding.js';
import { getBrandPicture } from './branding/getBrandPicture.js';
import { updateBranding } from './branding/updateBranding.js';
import { createController } from './controllers/createController.js';
import { getGuestPage } from './guests/getGuestPage.js';
import { getGuestBackground } from './guests/getGuestBackground.js';
import { createGuestChallenge } from './guests/createGuestChallenge.js';
import { orderAsGuest } from './guests/orderAsGuest.js';
import { getGuestOrder } from './guests/getGuestOrder.js';
import { emailGuestVoucher } from './guests/emailGuestVoucher.js';
import { smsGuestVoucher } from './guests/smsGuestVoucher.js';
import { withdrawGuestRequest } from './guests/withdrawGuestRequest.js';
import { listGuestRequests } from './guests/listGuestRequests.js';
import { decideGuestRequest } from './guests/decideGuestRequest.js';
import { createKiosk } from './kiosks/createKiosk.js';
import { updateKiosk } from './kiosks/updateKiosk.js';
import { renewKioskLink } from './kiosks/renewKioskLink.js';
import { setKioskBackground } from './kiosks/setKioskBackground.js';
import { deleteKioskBackground } from './kiosks/deleteKioskBackground.js';
import { getKioskBackground } from './kiosks/getKioskBackground.js';
import { emailTakenVoucher } from './kiosks/emailTakenVoucher.js';
import { smsTakenVoucher } from './kiosks/smsTakenVoucher.js';
import { printTakenVoucher } from './kiosks/printTakenVoucher.js';
import { createOrderLimit } from './orderLimits/createOrderLimit.js';
import { createPrinter } from './printers/createPrinter.js';
import { createProfile } from './profiles/createProfile.js';
import { syncController } from './controllers/syncController.js';
import { adoptVouchers } from './sites/adoptVouchers.js';
import { listForeignVouchers } from './sites/listForeignVouchers.js';
import { createSites } from './controllers/createSites.js';
import { createWebhook } from './webhooks/createWebhook.js';
import { beginSecondFactor } from './session/beginSecondFactor.js';
import { beginSingleSignOn } from './session/beginSingleSignOn.js';
import { updateController } from './controllers/updateController.js';
import { changePassword } from './session/changePassword.js';
import { updateOrderLimit } from './orderLimits/updateOrderLimit.js';
import { updatePrinter } from './printers/updatePrinter.js';
import { updateProfile } from './profiles/updateProfile.js';
import { updateSite } from './sites/updateSite.js';
import { updateUser } from './users/updateUser.js';
import { updateWebhook } from './webhooks/updateWebhook.js';
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
import { listVouchers } from './vouchers/listVouchers.js';
import { followEvents } from './system/followEvents.js';
import { getDesk } from './desk/getDesk.js';
import { getKiosk } from './kiosks/getKiosk.js';
import { getLogo } from './sites/getLogo.js';
import { getOrder } from './desk/getOrder.js';
import { getOverview } from './system/getOverview.js';
import { getSession } from './session/getSession.js';
import { getSignInRules } from './users/getSignInRules.js';
import { getStart } from './session/getStart.js';
import { exportReport } from './reports/exportReport.js';
import { getReport } from './reports/getReport.js';
import { getSystem } from './system/getSystem.js';
import { updateFirstSteps } from './system/updateFirstSteps.js';
import { getSlip } from './vouchers/getSlip.js';
import { getTexts } from './sites/getTexts.js';
import { previewTexts } from './sites/previewTexts.js';
import { updateTexts } from './sites/updateTexts.js';
import { getVoucher } from './vouchers/getVoucher.js';
import { deleteMailServer } from './mail/deleteMailServer.js';
import { getMailServer } from './mail/getMailServer.js';
import { setMailServer } from './mail/setMailServer.js';
import { testMailServer } from './mail/testMailServer.js';
import { deleteSmsProvider } from './sms/deleteSmsProvider.js';
import { getSmsProvider } from './sms/getSmsProvider.js';
import { setSmsProvider } from './sms/setSmsProvider.js';
import { testSmsProvider } from './sms/testSmsProvider.js';
import { choosePassword } from './session/choosePassword.js';
import { requestPasswordReset } from './session/requestPasswordReset.js';
import { sendInvitation } from './users/sendInvitation.js';
import { getIdentityProvider } from './users/getIdentityProvider.js';
import { setIdentityProvider } from './users/setIdentityProvider.js';
import { deleteIdentityProvider } from './users/deleteIdentityProvider.js';
import { testIdentityProvider } from './users/testIdentityProvider.js';
import { listAudit } from './audit/listAudit.js';
import { listControllers } from './controllers/listControllers.js';
import { listDeliveries } from './webhooks/listDeliveries.js';
import { listKeys } from './keys/listKeys.js';
import { listKiosks } from './kiosks/listKiosks.js';
import { listOrderLimits } from './orderLimits/listOrderLimits.js';
import { listOrders } from './desk/listOrders.js';
import { listOwnSessions } from './session/listOwnSessions.js';
import { listPrinters } from './printers/listPrinters.js';
import { listProfiles } from './profiles/listProfiles.js';
import { listSessions } from './users/listSessions.js';
import { listSites } from './sites/listSites.js';
import { listUsers } from './users/listUsers.js';
import { listWebhooks } from './webhooks/listWebhooks.js';
import { createOrder } from './desk/createOrder.js';
import { printReceipts } from './vouchers/printReceipts.js';
import { printVouchers } from './vouchers/printVouchers.js';
import { deleteController } from './controllers/deleteController.js';
import { deleteKiosk } from './kiosks/deleteKiosk.js';
import { deleteLogo } from './sites/deleteLogo.js';
import { deleteOrderLimit } from './orderLimits/deleteOrderLimit.js';
import { deletePrinter } from './printers/deletePrinter.js';
import { deleteProfile } from './profiles/deleteProfile.js';
import { deleteSecondFactor } from './session/deleteSecondFactor.js';
import { deleteUser } from './users/deleteUser.js';
import { deleteWebhook } from './webhooks/deleteWebhook.js';
import { renewRecoveryCodes } from './session/renewRecoveryCodes.js';
import { resendDelivery } from './webhooks/resendDelivery.js';
import { resetPassword } from './users/resetPassword.js';
import { resetSecondFactor } from './users/resetSecondFactor.js';
import { restoreKey } from './keys/restoreKey.js';
import { revokeKey } from './keys/revokeKey.js';
import { revokeVouchers } from './vouchers/revokeVouchers.js';
import { rotateWebhookSecret } from './webhooks/rotateWebhookSecret.js';
import { sendEmail } from './vouchers/sendEmail.js';
import { sendSms } from './vouchers/sendSms.js';
import { setDefaultProfile } from './profiles/setDefaultProfile.js';
import { setLanguage } from './session/setLanguage.js';
import { setLogo } from './sites/setLogo.js';
import { setProfileOrder } from './profiles/setProfileOrder.js';
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
  testIdentityProvider,
  deleteIdentityProvider,
  setIdentityProvider,
  getIdentityProvider,
  sendInvitation,
  requestPasswordReset,
  choosePassword,
  deleteMailServer,
  getMailServer,
  setMailServer,
  testMailServer,
  deleteSmsProvider,
  getSmsProvider,
  setSmsProvider,
  testSmsProvider,
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
  deleteSecondFactor,
  renewRecoveryCodes,
  listUsers,
  createUser,
  updateUser,
  deleteUser,
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
  updateSite,
  getLogo,
  setLogo,
  deleteLogo,
  listProfiles,
  createProfile,
  updateProfile,
  deleteProfile,
  setProfileOrder,
  setDefaultProfile,
  listOrderLimits,
  createOrderLimit,
  updateOrderLimit,
  deleteOrderLimit,
  getDesk,
  getOrder,
  listOrders,
  createOrder,
  revokeVouchers,
  listKiosks,
  createKiosk,
  updateKiosk,
  deleteKiosk,
  renewKioskLink,
  setKioskBackground,
  deleteKioskBackground,
  getKiosk,
  getKioskBackground,
  takeVoucher,
  getGuestPage,
  getGuestBackground,
  createGuestChallenge,
  orderAsGuest,
  getGuestOrder,
  withdrawGuestRequest,
  emailGuestVoucher,
  smsGuestVoucher,
  listGuestRequests,
  decideGuestRequest,
  emailTakenVoucher,
  smsTakenVoucher,
  printTakenVoucher,
  listControllers,
  createController,
  testController,
  updateController,
  deleteController,
  createSites,
  syncController,
  listForeignVouchers,
  adoptVouchers,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listDeliveries,
  resendDelivery,
  listVouchers,
  getSlip,
  getTexts,
  previewTexts,
  updateTexts,
  getVoucher,
  exportVouchers,
  exportSelectedVouchers,
  sendEmail,
  sendSms,
  printVouchers,
  listPrinters,
  createPrinter,
  updatePrinter,
  deletePrinter,
  testPrinter,
  printReceipts,
  getReport,
  exportReport,
  getOverview,
  updateFirstSteps,
  getSystem,
  getBranding,
  updateBranding,
  getBrandPicture,
  listAudit,
  exportAudit,
  followEvents,
};
