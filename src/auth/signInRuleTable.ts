import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { roles, type Role } from '../users/roles.js';
import { inUserTransaction } from '../users/userTable.js';

/** What administrators require of a sign-in. */
export interface SignInRules {
  /** The roles that have to have a second factor. */
  readonly secondFactorRoles: readonly Role[];
}

export interface SettingTable {
  signInRules(): Promise<SignInRules>;
  setSignInRules(rules: SignInRules, audit: AuditDraft): Promise<void>;
}

const signInRulesName = 'sign-in-rules';

/** What is set for the whole service. Rules for sign-in share the revision of the users. */
export const makeSettingTable = ({ read, write }: Database): SettingTable => ({
  signInRules: async () => {
    const row = await read('settings')
      .where({ name: signInRulesName })
      .first<{ value: string } | undefined>('value');
    return row ? parseSignInRules(row.value) : { secondFactorRoles: [] };
  },
  setSignInRules: (rules, audit) =>
    inUserTransaction(write, async (transaction) => {
      await transaction('settings')
        .insert({ name: signInRulesName, value: JSON.stringify(rules) })
        .onConflict('name')
        .merge();
      await recordAudit(transaction, { ...audit, subjectKind: null, subjectId: null, subjectName: null });
    }),
});

const parseSignInRules = (json: string): SignInRules => {
  const { secondFactorRoles } = JSON.parse(json) as { secondFactorRoles?: unknown };
  const required = Array.isArray(secondFactorRoles) ? secondFactorRoles : [];
  return { secondFactorRoles: roles.filter((role) => required.includes(role)) };
};
