import type { WebServices } from '../../handlers/web/handler.js';
import { makeKeyClaims } from '../rateLimit/keyClaims.js';
import { makeCountersByMinutes } from '../rateLimit/windowCounter.js';
import { makeBrowserTokens } from '../secrets/browserTokens.js';
import { makeGuestPages } from '../guestPages/guestPages.js';
import { makeGuestRequests } from '../guestPages/guestRequests.js';
import { challengeMs, makeProofOfWork } from '../guestPages/proofOfWork.js';
import { makeKioskDevices } from '../kiosks/kioskDevice.js';
import { deviceWindows } from '../kiosks/kioskTable.js';
import { makeKiosks } from '../kiosks/kiosks.js';
import { makeKioskVisits } from '../kiosks/kioskVisits.js';
import type { Emails } from '../email/emails.js';
import type { ReceiptPrinters } from '../printing/receiptPrinters.js';
import type { OpenNetworks } from '../sites/wifi.js';
import type { SmsMessages } from '../sms/smsMessages.js';
import type { Foundation } from './foundation.js';
import type { VoucherServices } from './voucherServices.js';

interface GuestServicesDeps extends Foundation, Pick<VoucherServices, 'deskOrders'> {
  readonly openNetworks: OpenNetworks;
  readonly emails: Emails;
  readonly sms: SmsMessages;
  readonly printers: ReceiptPrinters;
  readonly puzzleBits: number | undefined;
}

/** Puts together what guests use: kiosks, and the pages at which they ask for vouchers. */
export const makeGuestServices = (
  deps: GuestServicesDeps,
): Pick<WebServices, 'kiosks' | 'kioskDevices' | 'guestPages' | 'guestRequests'> => {
  const { database, tables, system, secrets, rotationSafeWriter, emails, sms, printers } = deps;
  const browserTokens = makeBrowserTokens({ secrets, writeSealed: rotationSafeWriter.replace });
  const visits = makeKioskVisits({
    tables,
    system,
    orders: deps.deskOrders,
    openNetworks: deps.openNetworks,
    countersByMinutes: makeCountersByMinutes(database, system, deviceWindows),
    canEmail: emails.isSetUp,
    sendEmail: async (id, email, actor) => {
      await emails.sendForGuest(id, email, actor);
    },
    offerSms: sms.offer,
    sendSms: async (id, message, actor) => {
      await sms.sendForGuest(id, message, actor);
    },
    print: (printerId, { voucherId, siteId, language }) =>
      printers.print(
        printerId,
        { voucherIds: [voucherId], language },
        { id: 0, role: 'staff', siteIds: [siteId] },
      ),
  });
  return {
    kiosks: { ...makeKiosks({ tables, system }), ...visits },
    kioskDevices: makeKioskDevices(browserTokens, system),
    guestPages: makeGuestPages({
      visits,
      requests: tables.guestRequests,
      system,
      challenges: makeKeyClaims(database, system, 2 * challengeMs),
      proofOfWork: makeProofOfWork(browserTokens, system, deps.puzzleBits),
    }),
    guestRequests: makeGuestRequests({ tables, visits, system }),
  };
};
