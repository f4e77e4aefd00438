import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { sitesInOrder } from '../local/localData.js';

export const listSitesHints: OperationHints = {
  effects: async (_input, { status, body }, { target: { fixture } }) => {
    if (!fixture || status !== 200) return undefined;
    const listed = jsonList(jsonFields(body)['sites']).map((site) => jsonFields(site));
    return {
      wanted: { ids: [...fixture.siteNames.keys()], sites: sitesInOrder },
      found: {
        ids: listed.map(({ id }) => Number(id)).sort((one, other) => one - other),
        sites: listed.map(({ name }) => name),
      },
    };
  },
};
