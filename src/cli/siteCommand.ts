import type { ControllerInfo } from '../controllers/controller.js';
import { commandLine } from './commandLine.js';
import { quoted, shellWord } from './shellWord.js';

/** The command that adds a site of a controller. */
export const siteCommand = (
  controller: string,
  site: ControllerInfo['sites'][number],
  name = site.name,
): string =>
  commandLine(
    `site add --name ${quoted(name)} --controller ${quoted(controller)} --controller-site ${shellWord(site.id)}`,
  );
