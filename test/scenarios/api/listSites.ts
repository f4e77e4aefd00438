import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import type { HttpAnswer, HttpExchange } from '../../../tools/contract/src/request.js';
import { isExcuse } from '../../../tools/contract/src/target/keys.js';
import {
  exchangeSample,
  goodSample,
  limitHeaders,
  permittedKey,
} from '../../../tools/contract/src/target/scenarioContext.js';
import type {
  OperationHints,
  ScenarioContext,
  ScenarioPlan,
} from '../../../tools/contract/src/target/target.js';
import { runActor } from '../local/administration.js';
import { sitesInOrder } from '../local/localData.js';

/** A site that is switched off is not listed any more, whatever was listed before. */
const switchedOff = (context: ScenarioContext): ScenarioPlan => {
  const { operation, target } = context;
  const key = permittedKey(context);
  if (!target.fixture) return { excuse: 'needs a service of the run, to switch a site off' };
  if (isExcuse(key)) return key;
  const { fixture } = target;
  const [, id] = fixture.sites.healthy;
  const switchTo = (active: boolean) => fixture.administration().sites.change(id, { active }, runActor);
  const send: () => Promise<HttpExchange> = async () => {
    await exchangeSample(context, goodSample(context), key);
    await switchTo(false);
    try {
      return await exchangeSample(context, goodSample(context), key);
    } finally {
      await switchTo(true);
    }
  };
  const also = ({ body }: HttpAnswer): string[] =>
    listedSites(body).some((site) => site['id'] === id) ? [`the inactive site ${id} is listed`] : [];
  const how = 'after a site was switched off';
  return { scenarios: [{ how, present: limitHeaders(operation, 200, key), also, send }] };
};

const listedSites = (body: unknown): Record<string, unknown>[] =>
  jsonList(jsonFields(body)['sites']).map((site) => jsonFields(site));

export const listSitesHints: OperationHints = {
  moreScenarios: { 200: switchedOff },
  effects: async (_input, { status, body }, { target: { fixture } }) => {
    if (!fixture || status !== 200) return undefined;
    const listed = listedSites(body);
    return {
      wanted: { ids: [...fixture.siteNames.keys()], sites: sitesInOrder },
      found: {
        ids: listed.map(({ id }) => Number(id)).sort((one, other) => one - other),
        sites: listed.map(({ name }) => name),
      },
    };
  },
};
