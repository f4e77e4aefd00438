import type { KeyInfo } from '../../src/apiKeys/keyAdministration.js';
import type { KeyUsage } from '../../src/apiKeys/keyUsage.js';
import type { Session } from '../../src/auth/sessions.js';
import type { User } from '../../src/users/users.js';
import type { WebUser } from '../../src/auth/webAccess.js';
import type { SiteDetails } from '../../src/sites/sites.js';
import type { GuestResult } from '../../src/guestPages/guestPages.js';
import type { Kiosk } from '../../src/kiosks/kiosks.js';
import type { KioskView } from '../../src/kiosks/kioskVisits.js';
import type { OrderView } from '../../src/vouchers/deskOrders.js';
import { isLimitedRole, type OrderLimit } from '../../src/orderLimits/orderLimits.js';
import type { Profile } from '../../src/profiles/profiles.js';
import { describeReason, type AttemptReason } from '../../src/i18n/storedReasons.js';
import { isPageLanguage } from '../../src/i18n/language.js';
import { isFormatName } from '../../src/webhooks/formats/format.js';
import type { ListedWebhook } from '../../src/webhooks/webhookAdministration.js';
import type { GuestMessage } from '../../src/guestMessages/guestMessageTable.js';
import type { Printer } from '../../src/printing/receiptPrinters.js';
import type { VoucherSlip } from '../../src/printing/voucherSlip.js';
import type { ListedController } from '../../src/controllers/controllerList.js';
import { describeControllerProblem } from '../../src/controllers/controllerProblem.js';
import type { ControllerAdvice } from '../../src/controllers/controller.js';
import type { ControllerTestStep } from '../../src/controllers/controllerTests.js';
import type { ControllerHealth } from '../../src/controllers/health.js';
import { wordMessage } from '../../src/i18n/messages.js';
import type { WebSchema } from './handler.js';

/** The language of a file, a slip or an e-mail: the one that was asked for, or that of the user. */
export const languageOf = <T extends WebSchema<'GuestLanguage'>>(
  { language }: { readonly language?: T | undefined },
  { user }: Pick<WebUser, 'user'>,
): T | WebSchema<'Language'> =>
  language ?? (user.language !== null && isPageLanguage(user.language) ? user.language : 'en');

/** The headers of a file with vouchers. */
export const csvFile = { 'Content-Disposition': 'attachment; filename="vouchers.csv"' };

/** A time as replies have it. */
export const toTime = (ms: number): string => new Date(ms).toISOString();

export const toOptionalTime = (ms: number | null): string | null => (ms === null ? null : toTime(ms));

export const toUserReply = (user: User): WebSchema<'User'> => ({
  ...user,
  disabledAt: toOptionalTime(user.disabledAt),
  createdAt: toTime(user.createdAt),
  lastSignInAt: toOptionalTime(user.lastSignInAt),
  siteIds: [...user.siteIds],
});

export const toCurrentUserReply = (
  {
    user,
    mustChangePassword,
    mustSetUpSecondFactor,
  }: Pick<WebUser, 'user' | 'mustChangePassword' | 'mustSetUpSecondFactor'>,
  version: string,
  asksCurrentPassword: boolean,
): WebSchema<'CurrentUser'> => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  language: user.language !== null && isPageLanguage(user.language) ? user.language : null,
  hasPassword: user.hasPassword,
  hasSecondFactor: user.hasSecondFactor,
  mustChangePassword,
  asksCurrentPassword,
  mustSetUpSecondFactor,
  siteIds: [...user.siteIds],
  version,
});

export const toSessionListReply = (
  sessions: readonly Session[],
  current?: Session,
): WebSchema<'SessionList'> => ({
  sessions: sessions.map((session) => ({
    ...session,
    createdAt: toTime(session.createdAt),
    lastUsedAt: toTime(session.lastUsedAt),
    address: session.address ?? '',
    isCurrent: session.id === current?.id,
  })),
});

export const toKeyReply = (
  { prefix, ...key }: KeyInfo,
  usage: readonly Pick<KeyUsage, 'hour' | 'requests' | 'refusals'>[] = [],
): WebSchema<'Key'> => ({
  ...key,
  prefix: `uvt_${prefix}`,
  createdAt: toTime(key.createdAt),
  lastUsedAt: toOptionalTime(key.lastUsedAt),
  expiresAt: toOptionalTime(key.expiresAt),
  revokedAt: toOptionalTime(key.revokedAt),
  usage: usage.map(({ hour, requests, refusals }) => ({ at: toTime(hour), requests, refusals })),
});

export const toProfileReply = ({ position: _, ...profile }: Profile): WebSchema<'Profile'> => ({
  ...profile,
  siteIds: profile.siteIds && [...profile.siteIds],
});

/** Rules for roles that only a later version knows are left out. */
export const toOrderLimitReply = ({ role, ...limit }: OrderLimit): WebSchema<'OrderLimit'>[] =>
  isLimitedRole(role) ? [{ ...limit, role }] : [];

export const toEmailReply = ({
  id,
  to,
  state,
  at,
  reason,
}: GuestMessage<'email'>): WebSchema<'SentEmail'> => ({
  id,
  to,
  state,
  at: toTime(at),
  reason: reason && { ...describeReason('email', reason) },
});

export const toPrinterReply = (printer: Printer): WebSchema<'Printer'> => ({
  ...printer,
  siteIds: printer.siteIds && [...printer.siteIds],
});

/** Staff learn nothing of controllers. */
export const toSiteReply = (
  { active, ...site }: SiteDetails,
  { user }: Pick<WebUser, 'user'>,
): WebSchema<'Site'> => ({
  ...site,
  isActive: active,
  ...(user.role !== 'admin' && { controllerName: '', controllerSite: null }),
});

export const toControllerReply = ({
  id,
  name,
  kind,
  url,
  trust,
  fingerprint,
  options,
  counts,
  health,
  sites,
}: ListedController): WebSchema<'Controller'> => ({
  id,
  name,
  kind,
  url,
  trust,
  fingerprint,
  options: { ...options },
  counts: counts && { ...counts },
  health: toHealthReply(health),
  sites: sites.map(({ active: isActive, ...site }) => ({ ...site, isActive })),
});

export const toHealthReply = ({
  lastError,
  lastSyncAt,
  ...health
}: ControllerHealth): WebSchema<'ControllerHealth'> => ({
  ...health,
  lastSyncAt: toOptionalTime(lastSyncAt),
  lastError: lastError && { ...describeControllerProblem(lastError) },
});

export const toTestStepReply = ({
  finding,
  problem,
  remedy,
  sites,
  advice,
  ...step
}: ControllerTestStep): WebSchema<'ControllerTestStep'> => ({
  ...step,
  ...(finding && { message: { ...wordMessage('connectionTest', finding) } }),
  ...(problem && { message: { ...describeControllerProblem(problem) } }),
  ...(remedy && { remedy: { ...wordMessage('remedy', remedy) } }),
  ...(sites && { sites: [...sites] }),
  ...(advice && { advice: advice.map(toAdviceReply) }),
});

const toAdviceReply = (advice: ControllerAdvice): WebSchema<'ControllerAdvice'> => ({
  text: { ...wordMessage('advice', advice) },
  lines: advice.lines ?? null,
});

/** Why a message was not delivered. */
export const toReasonReply = (reason: AttemptReason | null): WebSchema<'OptionalTexts'> =>
  reason === null ? null : { ...describeReason('attempt', reason) };

export const toWebhookReply = ({
  format,
  language,
  active: isActive,
  createdAt,
  reason,
  failing,
  ...webhook
}: ListedWebhook): WebSchema<'Webhook'> => {
  if (!isFormatName(format) || !isPageLanguage(language))
    throw new Error(`webhook ${String(webhook.id)} has an unknown format or language`);
  return {
    ...webhook,
    format,
    language,
    isActive,
    reason: toReasonReply(reason),
    createdAt: toTime(createdAt),
    failing: failing && {
      reason: { ...describeReason('attempt', failing.reason) },
      tries: failing.tries,
      since: toTime(failing.createdAt),
      nextAt: toTime(failing.at),
      isHolding: failing.holds,
    },
  };
};

export const toKioskViewReply = (
  { profiles, texts, ...view }: KioskView,
  version: string,
): WebSchema<'KioskView'> => ({ ...view, profiles: [...profiles], texts: [...texts], version });

export const toGuestResultReply = ({
  state,
  code,
  formattedCode,
  network,
}: GuestResult): WebSchema<'GuestOrderResult'> => ({
  state,
  code,
  formattedCode,
  wifiPassword: network?.password ?? null,
  wifiJoinText: network?.joinText ?? null,
});

/**
 * Where the link of a kiosk leads. Browsers send the fragment nowhere, so the token is in no log of a proxy.
 */
export const toKioskPath = (token: string, slug: string | null = null): string =>
  slug === null ? `/kiosk#${token}` : `/guest/${slug}`;

export const toKioskReply = (kiosk: Kiosk): WebSchema<'Kiosk'> => ({
  ...kiosk,
  moreProfileIds: [...kiosk.moreProfileIds],
  profileNames: [...kiosk.profileNames],
  createdAt: toTime(kiosk.createdAt),
});

export const toOrderReply = ({ createdAt, vouchers, ...order }: OrderView): WebSchema<'Order'> => ({
  ...order,
  createdAt: toTime(createdAt),
  vouchers: [...vouchers],
});

export const toSlipReply = ({ network, password, colon, ...slip }: VoucherSlip): WebSchema<'Slip'> => ({
  siteName: slip.heading,
  wifi: [
    ...(network ? [{ label: network.label + colon, text: network.ssid }] : []),
    ...(password ? [{ label: password.label + colon, text: password.text }] : []),
  ],
  qrText: slip.qrText,
  codeLabel: slip.codeLabel,
  formattedCode: slip.formattedCode,
  facts: [slip.validity, slip.uses, ...(slip.limits?.split('\n') ?? [])].filter((fact) => fact !== ''),
  steps: slip.steps,
  text: slip.slipText,
  name: slip.name,
});
