import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';

export const listSitesHints: OperationHints = {
  effects: async (_input, { status, body }, { target: { fixture } }) => {
    if (!fixture || status !== 200) return undefined;
    const listed = jsonList(jsonFields(body)['sites']).map((site) => Number(jsonFields(site)['id']));
    return {
      wanted: { sites: [...fixture.siteNames.keys()] },
      found: { sites: listed.sort((one, other) => one - other) },
    };
  },
};
