import type { Handler } from './handler.js';

export const listSites: Handler<'listSites'> = ({ reply }, { sites }) => reply(200, sites.list());
