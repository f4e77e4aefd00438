import type { Handler } from './handler.js';

export const listSites: Handler<'listSites'> = async ({ reply }, { sites }) => reply(200, await sites.list());
