import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { useFormat } from '../../i18n/format.ts';
import type { Messages } from '../../texts/messages.ts';
import { dataUnits, speedUnits, unitFor, type Units } from '../../vouchers/units.ts';

type Entry = Schemas['AuditEntry'];

type AuditKey = `audit.${keyof Messages['audit']}`;
type AdminKey =
  | AuditKey
  | `controllers.${keyof Messages['controllers']}`
  | `keys.${keyof Messages['keys']}`
  | `webhooks.${keyof Messages['webhooks']}`
  | `common.${keyof Messages['common']}`;

/** The text of an action; one that these pages do not know yet is shown as it is. */
export const useActionText = (): ((action: string) => string) => {
  const t = useTranslations();
  return (action) => {
    const key = `audit.action-${action.replaceAll('.', '-')}` as AuditKey & `audit.action-${string}`;
    return t.has(key) ? t(key) : action;
  };
};

/** The keys of the texts for words that the service records; other values of these names are shown as they are. */
const wordKeys: Readonly<Record<string, (word: string) => string>> = {
  reason: (word) => `audit.reason-${word}`,
  trust: (word) => `audit.trust-${word}`,
  sites: (word) => `audit.sites-${word}`,
  language: (word) => `audit.language-${word}`,
  role: (word) => `common.role-${word}`,
  scope: (word) => `keys.scope-${word}`,
  kind: (word) => `controllers.kind-${word}`,
  format: (word) => `webhooks.platform-${word}`,
  smsKind: (word) => `audit.smsKind-${word}`,
  wifiKind: (word) => `audit.wifiKind-${word}`,
  printAtOnce: (word) => `audit.printAtOnce-${word}`,
  paper: (word) => `audit.paper-${word}`,
  slipPaper: (word) => `audit.paper-${word}`,
};

/** Amounts, of which 0 is no limit. */
const amountUnits: Readonly<Record<string, Units>> = { down: speedUnits, up: speedUnits, quotaMb: dataUnits };

/** Numbers that name something: nobody counts with them. */
const isIdentifier = (name: string): boolean => name === 'port' || /(^id|Id)$/.test(name);

/** What an entry tells besides, in one line; names that these pages do not know yet are shown as they are. */
export const useDetailText = (): ((entry: Pick<Entry, 'action' | 'detail'>) => string) => {
  const t = useTranslations();
  const format = useFormat();
  const nameOf = (name: string): string => {
    const key = `audit.detail-${name}` as AuditKey & `audit.detail-${string}`;
    return t.has(key) ? t(key) : name;
  };
  const wordOf = (name: string, word: string): string => {
    const key = wordKeys[name]?.(word.replaceAll(' ', '-')) as (AdminKey & 'common.yes') | undefined;
    return key !== undefined && t.has(key) ? t(key) : word;
  };
  const amountOf = (amount: number, units: Units): string => {
    if (amount === 0) return t('audit.noLimit');
    const unit = unitFor(amount, units);
    return `${format.number(amount / unit.factor)}\u00A0${t(`profiles.unit-${unit.name}`)}`;
  };
  const valueOf = (action: string, name: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no');
    if (name === 'expireMinutes' && typeof value === 'number') return format.duration(value);
    const units = amountUnits[name];
    if (units && typeof value === 'number') return amountOf(value, units);
    if (typeof value === 'number') return isIdentifier(name) ? String(value) : format.number(value);
    if (value === null) return action.startsWith('limit.') ? t('audit.noLimit') : '–';
    if (typeof value !== 'string') return JSON.stringify(value);
    if (name === 'expiresAt') return format.dateTime(value);
    // From one role to another, and the roles that need a second factor.
    if (action.startsWith('user.') && (name === 'from' || name === 'to')) return wordOf('role', value);
    if (action === 'sign-in-rules.change')
      return format.list(value.split(', ').map((role) => wordOf('role', role)));
    return wordOf(action === 'setting.sms' && name === 'kind' ? 'smsKind' : name, value);
  };
  return ({ action, detail }) =>
    Object.entries(detail)
      // Its name says it, and one of something goes without saying.
      .filter(
        ([name, value]) => !(name === 'siteId' && 'site' in detail) && !(name === 'count' && value === 1),
      )
      .map(([name, value]) => `${nameOf(name)}: ${valueOf(action, name, value)}`)
      .join(' · ');
};
