import { auditHandlers } from './audit.js';
import { brandingHandlers } from './branding.js';
import { controllerHandlers } from './controllers.js';
import { deskHandlers } from './desk.js';
import { guestHandlers } from './guests.js';
import { keyHandlers } from './keys.js';
import { kioskHandlers } from './kiosks.js';
import { mailHandlers } from './mail.js';
import { orderLimitHandlers } from './orderLimits.js';
import { printerHandlers } from './printers.js';
import { profileHandlers } from './profiles.js';
import { reportHandlers } from './reports.js';
import { sessionHandlers } from './session.js';
import { siteHandlers } from './sites.js';
import { smsHandlers } from './sms.js';
import { systemHandlers } from './system.js';
import { userHandlers } from './users.js';
import { voucherHandlers } from './vouchers.js';
import { webhookHandlers } from './webhooks.js';
import type { WebHandlers } from './handler.js';

/** Every operation of web.yaml. */
export const webHandlers: WebHandlers = {
  ...auditHandlers,
  ...brandingHandlers,
  ...controllerHandlers,
  ...deskHandlers,
  ...guestHandlers,
  ...keyHandlers,
  ...kioskHandlers,
  ...mailHandlers,
  ...orderLimitHandlers,
  ...printerHandlers,
  ...profileHandlers,
  ...reportHandlers,
  ...sessionHandlers,
  ...siteHandlers,
  ...smsHandlers,
  ...systemHandlers,
  ...userHandlers,
  ...voucherHandlers,
  ...webhookHandlers,
};
