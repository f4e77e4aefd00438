import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { confirmSecondFactorHints, passwordHints, deleteSecondFactorHints } from './account.js';
import * as controllers from './controllers.js';
import * as keys from './keys.js';
import * as guests from './guests.js';
import * as kiosks from './kiosks.js';
import * as mail from './mail.js';
import * as orders from './orders.js';
import * as orderLimits from './orderLimits.js';
import * as passwordLinks from './passwordLinks.js';
import * as profiles from './profiles.js';
import {
  createFirstAdministratorHints,
  endOwnSessionHints,
  forEverybodyHints,
  getOverviewHints,
  signInHints,
  singleSignOnHints,
} from './session.js';
import * as reports from './reports.js';
import * as sites from './sites.js';
import * as printers from './printers.js';
import * as users from './users.js';
import * as vouchers from './vouchers.js';
import * as webhooks from './webhooks.js';

/** What the contract alone does not say of the operations of `web.yaml`. There is a file for each noun. */
export const webHints: Readonly<Record<string, OperationHints>> = {
  createFirstAdministrator: createFirstAdministratorHints,
  signIn: signInHints,
  beginSingleSignOn: singleSignOnHints,
  endSingleSignOn: singleSignOnHints,
  endOwnSession: endOwnSessionHints,
  listOwnSessions: forEverybodyHints,
  listSites: forEverybodyHints,
  listProfiles: forEverybodyHints,
  getOverview: getOverviewHints,
  followEvents: forEverybodyHints,
  changePassword: passwordHints,
  beginSecondFactor: passwordHints,
  confirmSecondFactor: confirmSecondFactorHints,
  deleteSecondFactor: deleteSecondFactorHints,
  renewRecoveryCodes: passwordHints,
  requestPasswordReset: passwordLinks.requestPasswordResetHints,
  choosePassword: passwordLinks.choosePasswordHints,
  sendInvitation: passwordLinks.sendInvitationHints,
  createUser: users.createUserHints,
  updateUser: users.updateUserHints,
  deleteUser: users.deleteUserHints,
  resetPassword: users.resetPasswordHints,
  resetSecondFactor: users.resetSecondFactorHints,
  listSessions: users.listSessionsHints,
  endSessions: users.endSessionsHints,
  setMailServer: mail.setMailServerHints,
  testMailServer: mail.testMailServerHints,
  deleteMailServer: mail.deleteMailServerHints,
  createKey: keys.createKeyHints,
  revokeKey: keys.revokeKeyHints,
  restoreKey: keys.restoreKeyHints,
  listControllers: controllers.listControllersHints,
  createController: controllers.createControllerHints,
  testController: controllers.testControllerHints,
  updateController: controllers.updateControllerHints,
  deleteController: controllers.deleteControllerHints,
  createSites: controllers.createSitesHints,
  updateSite: sites.updateSiteHints,
  getLogo: { ...forEverybodyHints, ...sites.getLogoHints },
  deleteLogo: sites.deleteLogoHints,
  createWebhook: webhooks.createWebhookHints,
  updateWebhook: webhooks.updateWebhookHints,
  deleteWebhook: webhooks.deleteWebhookHints,
  testWebhook: webhooks.testWebhookHints,
  rotateWebhookSecret: webhooks.rotateWebhookSecretHints,
  listDeliveries: webhooks.listDeliveriesHints,
  resendDelivery: webhooks.resendDeliveryHints,
  createProfile: profiles.createProfileHints,
  updateProfile: profiles.updateProfileHints,
  deleteProfile: profiles.deleteProfileHints,
  setProfileOrder: profiles.setProfileOrderHints,
  setDefaultProfile: profiles.setDefaultProfileHints,
  createOrderLimit: orderLimits.createOrderLimitHints,
  updateOrderLimit: orderLimits.updateOrderLimitHints,
  deleteOrderLimit: orderLimits.deleteOrderLimitHints,
  getDesk: forEverybodyHints,
  listOrders: { ...forEverybodyHints, ...orders.listOrdersHints },
  getOrder: orders.getOrderHints,
  createOrder: orders.createOrderHints,
  revokeVouchers: orders.revokeVouchersHints,
  listVouchers: vouchers.voucherSearchHints,
  exportVouchers: vouchers.exportVouchersHints,
  exportSelectedVouchers: vouchers.exportSelectedVouchersHints,
  printVouchers: vouchers.printVouchersHints,
  getVoucher: forEverybodyHints,
  getSlip: vouchers.getSlipHints,
  sendEmail: vouchers.sendEmailHints,
  createPrinter: printers.createPrinterHints,
  updatePrinter: printers.updatePrinterHints,
  deletePrinter: printers.deletePrinterHints,
  testPrinter: printers.testPrinterHints,
  printReceipts: printers.printReceiptsHints,
  createKiosk: kiosks.createKioskHints,
  updateKiosk: kiosks.updateKioskHints,
  deleteKiosk: kiosks.deleteKioskHints,
  renewKioskLink: kiosks.renewKioskLinkHints,
  setKioskBackground: kiosks.setKioskBackgroundHints,
  deleteKioskBackground: kiosks.deleteKioskBackgroundHints,
  getKiosk: kiosks.getKioskHints,
  getKioskBackground: kiosks.getKioskBackgroundHints,
  emailTakenVoucher: kiosks.emailTakenVoucherHints,
  printTakenVoucher: kiosks.printTakenVoucherHints,
  takeVoucher: kiosks.takeVoucherHints,
  getGuestPage: guests.getGuestPageHints,
  getGuestBackground: guests.getGuestBackgroundHints,
  createGuestChallenge: guests.createGuestChallengeHints,
  orderAsGuest: guests.orderAsGuestHints,
  getGuestOrder: guests.getGuestOrderHints,
  listGuestRequests: guests.listGuestRequestsHints,
  decideGuestRequest: guests.decideGuestRequestHints,
  // Only the service knows which positions there are.
  listAudit: { refusedWith: ['cursor-invalid', 'time-invalid'] },
  getReport: reports.getReportHints,
  exportReport: reports.exportReportHints,
  exportAudit: { scenarios: vouchers.fileScenarios },
};
