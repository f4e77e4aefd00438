import type { Scope } from '../../apiKeys/apiKeyTable.js';
import { partition } from '../../lib/collections.js';
import { isEncrypted, type OpenStored } from './appKey.js';
import { listIds, toShownName, type Findings } from './findings.js';
import { planControllers, type PlannedController, type PlannedSite } from './planControllers.js';
import { planUsers, type PlannedUser } from './planUsers.js';
import { planVouchers, type PlannedVoucher } from './planVouchers.js';
import { ImportError } from './sourceRows.js';
import type { SourceKey, SourceModel, SourceTemplate } from './sourceModel.js';

export interface PlannedKey extends Omit<SourceKey, 'scope' | 'createdAt'> {
  readonly scope: Scope;
}

/** Everything that shall be in voucherd afterwards. */
export interface ImportPlan {
  readonly controllers: readonly PlannedController[];
  readonly sites: readonly PlannedSite[];
  readonly keys: readonly (PlannedKey & Pick<SourceKey, 'createdAt'>)[];
  readonly users: readonly PlannedUser[];
  readonly templates: readonly SourceTemplate[];
  /** The address; undefined when the tool notifies nobody. */
  readonly webhook: string | undefined;
  readonly vouchers: readonly PlannedVoucher[];
  /** What is not moved, or moved differently: one sentence each. */
  readonly notes: readonly string[];
}

interface PlanOptions {
  readonly open: OpenStored;
  /** Make one site of several rows for the same site of a controller. */
  readonly mergeSites: boolean;
}

const maxRateLimit = 1_000_000;

/** Decides what becomes of each row. Throws `ImportError` with everything that has to be settled first. */
export const planImport = (source: SourceModel, { open, mergeSites }: PlanOptions): ImportPlan => {
  const findings: Findings = { problems: [], notes: [] };
  const { controllers, sites, siteIdsBySource } = planControllers(
    source.sites,
    { open, mergeSites },
    findings,
  );
  const keys = planKeys(source.keys, findings);
  const users = planUsers(source.users, siteIdsBySource, open, findings);
  const templates = planTemplates(source.templates, findings);
  const vouchers = planVouchers(source.vouchers, { sites, siteIdsBySource, users }, findings);
  const webhook =
    source.settings.get('webhook_enabled') === '1' ? source.settings.get('webhook_url') : undefined;
  findings.notes.push(...noteToolSettings(source.settings));
  if (findings.problems.length > 0)
    throw new ImportError('not-importable', `nothing was imported: ${findings.problems.join('; ')}`);
  return {
    controllers,
    sites,
    keys,
    users,
    templates,
    webhook: webhook || undefined,
    vouchers,
    notes: findings.notes,
  };
};

const planKeys = (keys: readonly SourceKey[], { problems, notes }: Findings): ImportPlan['keys'] => {
  const isUsable = ({ prefix, hash }: SourceKey): boolean =>
    /^[0-9a-f]{8}$/.test(prefix) && /^[0-9a-f]{64}$/.test(hash);
  const isKnownScope = ({ scope }: SourceKey): boolean => scope === 'read' || scope === 'write';
  const [usable, broken] = partition(keys, isUsable);
  if (broken.length > 0)
    notes.push(
      `API keys that nobody could use, with a broken prefix or hash, are not moved: ${listIds(broken)}`,
    );
  const strange = usable.filter((key) => !isKnownScope(key));
  if (strange.length > 0)
    problems.push(
      `these API keys have a scope that is neither read nor write; set one of them in the tool, or delete them: ${listIds(strange)}`,
    );
  const limited = usable.filter(({ rateLimit }) => rateLimit > maxRateLimit);
  if (limited.length > 0)
    notes.push(
      `API keys with more than ${String(maxRateLimit)} requests a minute get that limit: ${listIds(limited)}`,
    );
  const inactive = usable.filter(({ active }) => !active);
  if (inactive.length > 0)
    notes.push(
      `API keys that are switched off are revoked, which can not be undone later: ${listIds(inactive)}`,
    );
  return usable.filter(isKnownScope).map((key) => ({
    ...key,
    name: toShownName(key.name, `Key ${String(key.id)}`),
    scope: key.scope === 'read' ? 'read' : 'write',
    rateLimit: Math.min(key.rateLimit, maxRateLimit),
  }));
};

const planTemplates = (templates: readonly SourceTemplate[], { notes }: Findings): SourceTemplate[] => {
  const [active, inactive] = partition(templates, (template) => template.active);
  if (inactive.length > 0) notes.push(`templates that are switched off are not moved: ${listIds(inactive)}`);
  return active.map((template) => ({
    ...template,
    name: toShownName(template.name, `Template ${String(template.id)}`, 90),
    maxUses: Math.max(1, template.maxUses),
  }));
};

/** Does the import need the tool's key? */
export const needsAppKey = ({ sites, users }: Pick<SourceModel, 'sites' | 'users'>): boolean =>
  sites.some(({ storedPassword }) => isEncrypted(storedPassword)) ||
  users.some(({ storedTotpSecret }) => storedTotpSecret !== null && isEncrypted(storedTotpSecret));

/** Settings of the tool that voucherd has somewhere else, and where. */
const counterparts: readonly (readonly [enabled: (get: Get) => boolean, note: string])[] = [
  [
    (get) => get('smtp_enabled') === '1',
    "e-mail is sent as SMTP_URL and MAIL_FROM say: take the server and the account from the tool's settings",
  ],
  [
    (get) => get('oidc_enabled') === '1',
    "single sign-on is set up with OIDC_*: take client and secret from the tool's settings; the redirect address is another one",
  ],
  [
    (get) => get('m365_client_id') !== '',
    'sign-in with Microsoft is set up with OIDC_*, with the issuer https://login.microsoftonline.com/<tenant>/v2.0',
  ],
  [
    (get) => get('enforce_2fa_admins') === '1',
    'administrators had to have a second factor: require it again in the web UI',
  ],
  [(get) => get('trusted_proxy') !== '', 'trusted proxies are listed in TRUST_PROXY'],
  [(get) => Number(get('cleanup_audit_days')) > 0, 'how long the audit log is kept is set with AUDIT_DAYS'],
  [
    (get) => get('logo_url') !== '' || get('print_template') !== '',
    'logo and text of printed slips are set for each site in the web UI',
  ],
  [(get) => get('sms_enabled') === '1', 'vouchers are not sent by SMS'],
  [(get) => Number(get('user_daily_voucher_limit')) > 0, 'there is no daily limit of vouchers for each user'],
];

type Get = (name: string) => string;

/** What to set up by hand. Names only: the values may be secret. */
const noteToolSettings = (settings: ReadonlyMap<string, string>): string[] => {
  const get: Get = (name) => settings.get(name) ?? '';
  return [
    ...counterparts.flatMap(([isSet, note]) => (isSet(get) ? [note] : [])),
    'sessions, the audit log and all other settings are not moved',
  ];
};
