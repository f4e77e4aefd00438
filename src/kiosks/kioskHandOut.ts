import type { Actor } from '../audit/audit.js';
import { Problem, Refusal } from '../errors/problem.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import { limitExceeded } from '../rateLimit/windowCounter.js';
import type { VoucherTable } from '../vouchers/voucherTable.js';
import { kioskWindowMs, type CountersByMinutes } from './kioskLimit.js';
import { roleOf, shownNameOf, type KioskKey, type makeOpenKiosks, type OpenKiosk } from './openKiosk.js';

/** A voucher that was just taken, to be sent or printed. */
export interface TakenRequest {
  readonly key: KioskKey;
  readonly orderId: string;
  readonly language: GuestLanguage;
  readonly address: string;
}

/** A voucher on its way to a guest, and who is counted as its sender. */
interface GuestMessage {
  readonly voucherId: number;
  readonly siteId: number;
  readonly to: string;
  readonly language: GuestLanguage;
  readonly sender: string;
  readonly maxPerHour: number;
  /** Of the guest at a public page; null at a kiosk, where all guests have the same. */
  readonly guestAddress: string | null;
}

export interface HandOutDeps {
  readonly countersByMinutes: CountersByMinutes;
  sendEmail(id: string, email: GuestMessage, actor: Actor): Promise<void>;
  sendSms(id: string, sms: GuestMessage, actor: Actor): Promise<void>;
  print(
    printerId: number,
    voucher: { readonly voucherId: number; readonly siteId: number; readonly language: GuestLanguage },
  ): Promise<'confirmed' | 'sent'>;
}

/** For this long after it was taken, a voucher is sent and printed at its kiosk. */
const handOutMs = 30 * 60_000;
const maxPrintsPerOrder = 3;

/** Sends and prints vouchers that guests have just taken. All throw `Refusal` or `Problem`. */
export const makeHandOut = (
  deps: HandOutDeps,
  { open, findTaken }: Pick<ReturnType<typeof makeOpenKiosks>, 'open' | 'findTaken'>,
  vouchers: Pick<VoucherTable, 'ofIntent'>,
) => {
  const findVoucherId = async (opened: OpenKiosk, { orderId }: TakenRequest): Promise<number> => {
    const { id } = await findTaken(opened, orderId, handOutMs);
    const [voucher] = await vouchers.ofIntent(id);
    if (!voucher) throw new Problem('not_found');
    return voucher.id;
  };

  const toMessage = async (opened: OpenKiosk, to: string, request: TakenRequest): Promise<GuestMessage> => {
    const { id, siteId, perHour, slug } = opened.kiosk;
    return {
      voucherId: await findVoucherId(opened, request),
      siteId,
      to,
      language: request.language,
      sender: `kiosk:${String(id)}`,
      maxPerHour: perHour,
      guestAddress: slug === null ? null : request.address,
    };
  };

  const actorOf = (opened: OpenKiosk, { address }: TakenRequest): Actor => ({
    kind: roleOf(opened.kiosk),
    name: shownNameOf(opened),
    address,
  });

  return {
    email: async (emailId: string, to: string, request: TakenRequest): Promise<void> => {
      const opened = await open(request.key);
      if (!opened.kiosk.sendsEmail) throw new Refusal('kiosk-email-off', 'this kiosk sends no e-mails');
      await deps.sendEmail(emailId, await toMessage(opened, to, request), actorOf(opened, request));
    },
    sms: async (smsId: string, to: string, request: TakenRequest): Promise<void> => {
      const opened = await open(request.key);
      if (!opened.kiosk.sendsSms) throw new Refusal('kiosk-sms-off', 'this kiosk sends no SMS');
      await deps.sendSms(smsId, await toMessage(opened, to, request), actorOf(opened, request));
    },
    print: async (request: TakenRequest): Promise<'confirmed' | 'sent'> => {
      const opened = await open(request.key);
      const { kiosk } = opened;
      if (kiosk.printerId === null) throw new Refusal('kiosk-print-off', 'this kiosk has no printer');
      const voucherId = await findVoucherId(opened, request);
      const printed = await deps
        .countersByMinutes(kioskWindowMs / 60_000)
        .count(`kiosk-print:${request.orderId.toLowerCase()}`);
      if (printed.points > maxPrintsPerOrder) throw limitExceeded(printed, kioskWindowMs);
      return deps.print(kiosk.printerId, { voucherId, siteId: kiosk.siteId, language: request.language });
    },
  };
};
