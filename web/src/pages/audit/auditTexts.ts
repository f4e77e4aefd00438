import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { useFormat } from '../../i18n/format.ts';
import type { Messages } from '../../texts/messages.ts';

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
};

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
  const valueOf = (action: string, name: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no');
    if (name === 'expireMinutes' && typeof value === 'number') return format.duration(value);
    if (typeof value === 'number') return isIdentifier(name) ? String(value) : format.number(value);
    if (value === null) return '–';
    if (typeof value !== 'string') return JSON.stringify(value);
    if (name === 'expiresAt') return format.dateTime(value);
    // From one role to another, and the roles that need a second factor.
    if (action.startsWith('user.') && (name === 'from' || name === 'to')) return wordOf('role', value);
    if (action === 'sign-in-rules.change')
      return format.list(value.split(', ').map((role) => wordOf('role', role)));
    return wordOf(name, value);
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
