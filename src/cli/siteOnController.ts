import type { Config } from '../config.js';
import type { ControllerInfo } from '../controllers/controller.js';
import type { StoredController } from '../storage/controllers.js';
import { explainShortly } from './controllerAdvice.js';
import { addressOf } from './controllerNamed.js';
import { CommandError, plain, type Io } from './io.js';
import { withControllers } from './liveControllers.js';
import { siteCommand } from './siteCommand.js';

/**
 * The site of a controller that a new site of ours is to be: the one that was given, or the only one there is. A
 * controller that does not answer now may do so later, so then what was given counts.
 */
export const findControllerSite = async (
  io: Io,
  config: Config,
  controller: StoredController,
  name: string,
  given: string | undefined,
): Promise<string | null> => {
  // One without hardware has whatever sites it is asked for.
  if (addressOf(controller) === undefined) return given ?? null;
  let sites: ControllerInfo['sites'];
  try {
    ({ sites } = await withControllers(config, (registry) => registry.get(controller).probe()));
  } catch (error) {
    const which = given === undefined ? ', for the only or default site of the controller' : '';
    io.err(
      `warning: added unchecked${which}, because ${plain(controller.name)} could not be asked: ${explainShortly(error, controller.name)}\n`,
    );
    return given ?? null;
  }
  const commands = sites.map((site) => siteCommand(controller.name, site, name));
  if (given !== undefined) {
    if (sites.some(({ id }) => id === given)) return given;
    throw new CommandError(
      `--controller-site: ${controller.name} has no site "${given}"${sites.length > 0 ? ', but:' : ' that its account sees, and no other'}`,
      commands,
    );
  }
  const [only, ...others] = sites;
  if (only && others.length === 0) return only.id;
  throw new CommandError(
    only
      ? `--controller-site is missing: ${controller.name} has ${String(sites.length)} sites:`
      : `${controller.name} has no site that its account sees`,
    commands,
  );
};
