import { fieldsOf, textOf } from '../connection/reading.js';
import { certainly } from '../connection/waiting.js';
import { ControllerError, type Controller } from '../controller.js';
import type { Api } from './api.js';
import { neededVersion } from './refusal.js';
import type { Sites } from './sites.js';

export interface ProbingOptions {
  readonly api: Api;
  readonly sites: Sites;
  readonly name: string;
}

/** It is the controller's own word, and may be any. */
const maxVersionLength = 40;

export const makeProbe =
  ({ api, sites, name }: ProbingOptions): Controller['probe'] =>
  async (told) => {
    const answer = await certainly(api.send({ method: 'GET', path: '/info' }));
    told?.('connected');
    const info = await certainly(Promise.resolve(answer).then(api.settle));
    told?.('signed-in');
    const version = textOf(fieldsOf(info)['applicationVersion']);
    if (version === undefined)
      throw new ControllerError(name, { trouble: 'unreadable', reason: 'no-version' });
    if (!isAtLeast(version, neededVersion))
      throw new ControllerError(name, {
        trouble: 'refused',
        reason: 'too-old',
        version: version.slice(0, maxVersionLength),
        needed: neededVersion,
      });
    told?.('version');
    const known = await sites.all();
    told?.('sites');
    return { version, sites: known.map((site) => ({ id: site.reference, name: site.name })) };
  };

const isAtLeast = (version: string, needed: string): boolean =>
  version.localeCompare(needed, 'en', { numeric: true }) >= 0;
