import { draftAudit } from '../audit/audit.js';
import { toUserKey } from '../users/names.js';
import { toExistingStep, type ImportStep, type PlanDeps } from './importStep.js';

/**
 * The order of the profiles, and which is the default, once all of them exist.
 * A file without them leaves both alone.
 */
export const planProfileOrder = async (deps: PlanDeps): Promise<ImportStep[]> => [
  ...(await planOrder(deps)),
  ...(await planDefault(deps)),
];

const planOrder = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const wanted = deps.file.profiles
    .flatMap(({ name, position }) =>
      typeof position === 'number' ? [{ key: toUserKey(name), position }] : [],
    )
    .sort((a, b) => a.position - b.position)
    .map(({ key }) => key);
  if (wanted.length === 0) return [];
  const stored = await deps.tables.profiles.all();
  const placed = stored.filter(({ position }) => position !== null).map(({ name }) => toUserKey(name));
  if (wanted.join('\n') === placed.filter((key) => wanted.includes(key)).join('\n')) return [];
  const step = { part: 'profiles', name: 'order', fields: ['order'] } as const;
  const apply = async (): Promise<void> => {
    const { profiles } = deps.tables;
    const ids = wanted.flatMap((key) => deps.profileIds.get(key) ?? []);
    const others = (await profiles.all()).map(({ id }) => id).filter((id) => !ids.includes(id));
    const order = [...ids, ...others];
    const audit = draftAudit(deps.actor, 'profile.order', deps.at, { count: order.length });
    await profiles.reorder(order, await profiles.revision(), audit);
  };
  const { update } = deps;
  return stored.length === 0
    ? [toPartOfCreation(deps.file.profiles[0]?.name ?? '', apply)]
    : [toExistingStep({ update: update || placed.length === 0 }, step, apply)];
};

const planDefault = async (deps: PlanDeps): Promise<ImportStep[]> => {
  if (deps.file.profiles.every(({ isDefault }) => isDefault === undefined)) return [];
  const wanted = deps.file.profiles.find(({ isDefault }) => isDefault);
  const wantedKey = wanted ? toUserKey(wanted.name) : null;
  const stored = await deps.tables.profiles.all();
  const current = stored.find(({ isDefault }) => isDefault);
  const currentKey = current ? toUserKey(current.name) : null;
  if (wantedKey === currentKey) return [];
  const step = { part: 'profiles', name: 'default', fields: ['default'] } as const;
  const apply = async (): Promise<void> => {
    const id = wantedKey === null ? null : (deps.profileIds.get(wantedKey) ?? null);
    const detail = id === null ? { removed: true } : {};
    await deps.tables.profiles.setDefault(id, draftAudit(deps.actor, 'profile.default', deps.at, detail));
  };
  if (stored.length === 0) return [toPartOfCreation(wanted?.name ?? '', apply)];
  // Where nobody has chosen one, it replaces nothing.
  return [toExistingStep({ update: deps.update || currentKey === null }, step, apply)];
};

/** Without any profile there, it is a part of the creation of one of them. */
const toPartOfCreation = (name: string, apply: NonNullable<ImportStep['apply']>): ImportStep => ({
  part: 'profiles',
  name,
  outcome: 'same',
  fields: [],
  apply,
});
