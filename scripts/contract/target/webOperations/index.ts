import type { OperationHints } from '../target.js';
import { confirmSecondFactorHints, passwordHints, removeSecondFactorHints } from './account.js';
import * as controllers from './controllers.js';
import * as keys from './keys.js';
import * as kiosks from './kiosks.js';
import * as orders from './orders.js';
import * as profiles from './profiles.js';
import {
  createFirstAdministratorHints,
  endOwnSessionHints,
  forEverybodyHints,
  getOverviewHints,
  signInHints,
  singleSignOnHints,
} from './session.js';
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
  removeSecondFactor: removeSecondFactorHints,
  renewRecoveryCodes: passwordHints,
  createUser: users.createUserHints,
  changeUser: users.changeUserHints,
  removeUser: users.removeUserHints,
  resetPassword: users.resetPasswordHints,
  resetSecondFactor: users.resetSecondFactorHints,
  listSessions: users.listSessionsHints,
  endSessions: users.endSessionsHints,
  createKey: keys.createKeyHints,
  revokeKey: keys.revokeKeyHints,
  restoreKey: keys.restoreKeyHints,
  listControllers: controllers.listControllersHints,
  addController: controllers.addControllerHints,
  testController: controllers.testControllerHints,
  changeController: controllers.changeControllerHints,
  removeController: controllers.removeControllerHints,
  addSites: controllers.addSitesHints,
  changeSite: sites.changeSiteHints,
  getLogo: { ...forEverybodyHints, ...sites.getLogoHints },
  removeLogo: sites.removeLogoHints,
  addWebhook: webhooks.addWebhookHints,
  changeWebhook: webhooks.changeWebhookHints,
  removeWebhook: webhooks.removeWebhookHints,
  testWebhook: webhooks.testWebhookHints,
  rotateWebhookSecret: webhooks.rotateWebhookSecretHints,
  listDeliveries: webhooks.listDeliveriesHints,
  resendDelivery: webhooks.resendDeliveryHints,
  addProfile: profiles.addProfileHints,
  changeProfile: profiles.changeProfileHints,
  removeProfile: profiles.removeProfileHints,
  getDesk: forEverybodyHints,
  listOrders: { ...forEverybodyHints, ...orders.listOrdersHints },
  getOrder: orders.getOrderHints,
  placeOrder: orders.placeOrderHints,
  revokeVouchers: orders.revokeVouchersHints,
  findVouchers: vouchers.findVouchersHints,
  exportVouchers: vouchers.exportVouchersHints,
  exportSelectedVouchers: vouchers.exportSelectedVouchersHints,
  printVouchers: vouchers.printVouchersHints,
  getVoucher: forEverybodyHints,
  sendEmail: vouchers.sendEmailHints,
  addPrinter: printers.addPrinterHints,
  changePrinter: printers.changePrinterHints,
  removePrinter: printers.removePrinterHints,
  testPrinter: printers.testPrinterHints,
  printReceipts: printers.printReceiptsHints,
  addKiosk: kiosks.addKioskHints,
  removeKiosk: kiosks.removeKioskHints,
  getKiosk: kiosks.getKioskHints,
  takeVoucher: kiosks.takeVoucherHints,
  // Only the service knows which positions there are.
  listAudit: { refusedWith: ['cursor-invalid', 'time-invalid'] },
};
