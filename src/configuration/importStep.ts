import type { Tables } from '../app/tables.js';
import type { Actor } from '../audit/audit.js';
import type { Database } from '../database/database.js';
import type { Secrets } from '../secrets/encryption.js';
import type { ReadConfiguration } from './configurationFile.js';
import type { OpenConfiguration } from './checkConfiguration.js';

export const configurationParts = [
  ...['controllers', 'sites', 'profiles', 'printers', 'webhooks', 'kiosks', 'orderLimits', 'settings'],
  'mailServer',
  'smsProvider',
  'identityProvider',
  'ownTexts',
  'branding',
] as const;

/**
 * What becomes of one thing of the file. `differs`: it is there with other values, which stay, because
 * `--update` was not given. `skipped`: it can't be created without its secret.
 */
export type StepOutcome = 'created' | 'changed' | 'differs' | 'same' | 'skipped';

export interface ImportStep {
  readonly part: (typeof configurationParts)[number];
  readonly name: string;
  readonly outcome: StepOutcome;
  /** What differs. */
  readonly fields: readonly string[];
  /** What the user has to do about it. */
  readonly todo?: 'credentials' | 'address' | 'secret' | 'wifi-password' | undefined;
  /** Makes the change, in the transaction that it was planned in. */
  apply?(seal: Secrets): Promise<void>;
}

/** What steps are planned with. */
export interface PlanDeps {
  readonly file: OpenConfiguration;
  readonly refuse: ReadConfiguration['refuse'];
  readonly database: Database;
  readonly tables: Tables;
  /** Change what differs? */
  readonly update: boolean;
  readonly actor: Actor;
  /** The time of all entries of the audit log. */
  readonly at: number;
  /** Opens what is stored. */
  secrets(): Secrets;
  /** The ids of what is stored, or was created by earlier steps, by name. */
  readonly controllerIds: Map<string, number>;
  readonly profileIds: Map<string, number>;
  readonly printerIds: Map<string, number>;
}

/** The names of the fields in which two differ. What is undefined was left out, and differs from nothing. */
export const findDifferences = <T extends object>(
  wanted: T,
  stored: { readonly [Key in keyof T]: unknown },
): string[] =>
  (Object.keys(wanted) as (keyof T & string)[]).filter(
    (key) => wanted[key] !== undefined && JSON.stringify(wanted[key]) !== JSON.stringify(stored[key]),
  );

/** The step for something that is not there. */
export const toNewStep = (
  step: Pick<ImportStep, 'part' | 'name' | 'todo'>,
  apply: NonNullable<ImportStep['apply']>,
): ImportStep => ({ ...step, outcome: 'created', fields: [], apply });

/** The step for something that is there. */
export const toExistingStep = (
  { update }: Pick<PlanDeps, 'update'>,
  step: Pick<ImportStep, 'part' | 'name' | 'fields'>,
  apply: NonNullable<ImportStep['apply']>,
): ImportStep => {
  if (step.fields.length === 0) return { ...step, outcome: 'same' };
  return update ? { ...step, outcome: 'changed', apply } : { ...step, outcome: 'differs' };
};
