import { idOf, type RestApi } from './restApi.js';
import type { Signal } from './store.js';

/** Ends the sessions of a guest, and forgets the devices that may come back without a code. */
export const endSessions = async (api: RestApi, code: string, signal: Signal): Promise<void> => {
  for (const menu of ['/ip/hotspot/cookie', '/ip/hotspot/active']) {
    const items = await api.print(menu, { properties: ['.id'], where: ['user', [code]] }, signal);
    for (const item of items) await api.remove(menu, idOf(item), signal);
  }
};
