import { isDeepStrictEqual } from 'node:util';
import { draftAudit } from '../audit/audit.js';
import { describeSettings } from '../controllers/controllerSettings.js';
import type { StoredController } from '../controllers/controllerTable.js';
import { sealingOf } from '../controllers/credentialSealing.js';
import { requiredCredentials } from '../controllers/kinds.js';
import { credentialsBinding, sealCredentials, SecretError } from '../secrets/encryption.js';
import type { OpenController } from './checkConfiguration.js';
import { toExistingStep, toNewStep, type ImportStep, type PlanDeps } from './importStep.js';

/** Controllers are the same when their names are. */
export const planControllerSteps = async (deps: PlanDeps): Promise<ImportStep[]> => {
  const stored = await deps.tables.controllers.all();
  return deps.file.controllers.map((controller, index) => {
    const known = stored.find(({ name }) => name === controller.name);
    if (!known) return planNewController(deps, controller);
    deps.controllerIds.set(known.name, known.id);
    if (known.kind !== controller.kind)
      deps.refuse(
        ['controllers', index, 'kind'],
        `controller "${known.name}" is of the kind ${known.kind} here: rename one of them`,
        'conflict',
      );
    if (deps.update && wouldMoveCredentials(controller, known))
      deps.refuse(
        ['controllers', index, 'settings'],
        `controller "${known.name}" has another address or certificate here, and the file has no credentials for this one: add them, change it by \`voucherd controller set\` first, or take the change back`,
        'conflict',
      );
    return planKnownController(deps, controller, known);
  });
};

/**
 * Would stored credentials be sent to whom the file says? Who can change the file must not decide that: what
 * is sealed in it is bound to the same values.
 */
const wouldMoveCredentials = ({ settings, credentials }: OpenController, known: StoredController): boolean =>
  !credentials &&
  known.sealedCredentials !== null &&
  credentialsBinding(known) !== credentialsBinding({ ...known, settings });

const planNewController = (deps: PlanDeps, controller: OpenController): ImportStep => {
  const { name, kind, settings, credentials } = controller;
  const isIncomplete = !credentials && Object.keys(requiredCredentials(kind)).length > 0;
  const audit = draftAudit(deps.actor, 'controller.add', deps.at, {
    kind,
    ...describeSettings(kind, settings),
  });
  const todo = isIncomplete ? 'credentials' : undefined;
  return toNewStep({ part: 'controllers', name, todo }, async (secrets) => {
    const sealedCredentials = credentials ? sealCredentials(secrets, { kind, settings }, credentials) : null;
    const added = { name, kind, settings, sealedCredentials };
    deps.controllerIds.set(name, await deps.tables.controllers.add(added, deps.at, audit));
  });
};

const planKnownController = (
  deps: PlanDeps,
  { name, settings, credentials }: OpenController,
  known: StoredController,
): ImportStep => {
  const hasOtherCredentials = credentials && !isDeepStrictEqual(openCredentials(deps, known), credentials);
  const fields = [
    ...(isDeepStrictEqual(settings, known.settings) ? [] : ['settings']),
    ...(hasOtherCredentials ? ['credentials'] : []),
  ];
  return toExistingStep(deps, { part: 'controllers', name, fields }, async (secrets) => {
    const audit = draftAudit(deps.actor, 'controller.change', deps.at, {
      ...describeSettings(known.kind, settings),
      ...(hasOtherCredentials && { credentials: true }),
    });
    const sealing = { secrets: deps.secrets, mayMoveCredentials: false };
    const sealedCredentials = sealingOf(sealing, known, settings, credentials)?.(secrets);
    const values = { settings, ...(sealedCredentials !== undefined && { sealedCredentials }) };
    await deps.tables.controllers.change(known.id, values, audit);
  });
};

/** Undefined when there are none, or when they do not open. */
const openCredentials = (deps: PlanDeps, known: StoredController): unknown => {
  if (known.sealedCredentials === null) return undefined;
  try {
    return JSON.parse(deps.secrets().open(known.sealedCredentials, credentialsBinding(known)));
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
};
