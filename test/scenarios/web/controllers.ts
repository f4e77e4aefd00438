import { randomUUID } from 'node:crypto';
import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import type { HttpAnswer } from '../../../tools/contract/src/request.js';
import { withKey } from '../../../tools/contract/src/target/keys.js';
import { runActor, type Administration } from '../local/administration.js';
import { closedDatabase, databaseOptions, failingName } from '../local/webData.js';
import type { OperationHints, ScenarioContext } from '../../../tools/contract/src/target/target.js';
import {
  bodyOf,
  inPath,
  nothing,
  ownScenario,
  plans,
  scenario,
  sendAsIs,
  withBody,
  withNew,
} from './preparing.js';

const newName = (): string => `Contract ${randomUUID()}`;

const createController = ({ controllers }: Administration, name = newName()): Promise<number> =>
  controllers.add(
    { name, kind: 'simulated', settings: { all: {} }, force: true, readCredentials: async () => ({}) },
    runActor,
  );

/** Removes the controllers with this address or name. Their sites, which other scenarios have added, stop first. */
const forget = async ({ controllers, tables }: Administration, { url, name }: Record<string, unknown>) => {
  for (const known of await tables.controllers.all()) {
    if (known.name !== name && (url === undefined || known.settings['url'] !== url)) continue;
    for (const site of await tables.sites.all())
      if (site.controllerId === known.id) await tables.sites.change(site.id, { active: false });
    await controllers.remove(known.id, runActor);
  }
};

export const listControllersHints: OperationHints = {
  moreScenarios: {
    200: ownScenario('after a controller has failed', async ({ administration, sample, key, context }) => {
      // Whoever compares the vouchers of a controller finds out that it does not answer.
      const controllerId = (await findFailingSite(administration))?.controllerId ?? nothing;
      const requestTarget = `/controllers/${String(controllerId)}/sync`;
      await context.target.send(
        withKey(context.contract, { method: 'POST', requestTarget, headers: [] }, key),
      );
      const sent = await sendAsIs(context, sample, key);
      if (!showsError(sent.answer)) throw new Error('no controller is shown as failing');
      return sent;
    }),
  },
};

const showsError = ({ body }: HttpAnswer): boolean =>
  jsonList(jsonFields(body)['controllers']).some(
    (controller) => jsonFields(jsonFields(controller)['health'])['lastError'] !== null,
  );

/** What the settings of a controller have to be together, and what only a parser can say. */
const settingsRefused = [
  'name-invalid',
  'url-invalid',
  'address-not-needed',
  'trust-conflict',
  'fingerprint-invalid',
  'ca-invalid',
  'credentials-invalid',
  'settings-invalid',
];

const account = { username: 'contract', password: 'secret' };

/** An address, credentials and options of a kind that has options. */
const databaseSettings = { url: closedDatabase, credentials: account, options: databaseOptions };

export const createControllerHints: OperationHints = {
  neverShown: {
    fields: /^201 (sites\[\]|health\.lastError\.)/,
    because: 'a new controller has no sites, and was not called yet',
  },
  refusedWith: settingsRefused,
  prepare: async (sample, { target: { fixture, substitutions } }) => {
    if (fixture) await forget(fixture.administration(), { url: substitutions['url'], name: 'Zentrale' });
    return sample;
  },
  moreScenarios: {
    201: plans(
      scenario('of a FreeRADIUS database, with its options', ({ sample }) =>
        withBody(sample, { ...databaseSettings, name: newName(), kind: 'radius-sql', force: true }),
      ),
      scenario('of a router, with its option', ({ sample, context }) =>
        withBody(sample, {
          ...jsonFields(context.target.substitutions['router']),
          ...{ name: newName(), options: { usesUserManager: false }, force: true },
        }),
      ),
    ),
  },
  scenarios: {
    409: scenario('with the name of another controller', async ({ administration, sample }) => {
      const { name } = bodyOf(sample);
      await forget(administration, { name });
      await createController(administration, String(name));
      return sample;
    }),
  },
};

export const testControllerHints: OperationHints = {
  scenarios: {
    200: plans(
      scenario('with the request of the example', ({ sample }) => ({ ...sample, isWhole: true })),
      scenario('with the fingerprint of its certificate', ({ sample, context }) => ({
        ...withBody(sample, { fingerprint: context.target.substitutions['pinned'] }),
        isWhole: true,
      })),
      scenario('of a router that lacks something', ({ sample, context }) => ({
        ...withBody(sample, jsonFields(context.target.substitutions['router'])),
        isWhole: true,
      })),
      scenario('of a controller that is stored', ({ sample }) => ({
        ...sample,
        body: JSON.stringify({ controllerId: 1 }),
        isWhole: true,
      })),
    ),
    404: scenario('of a controller that does not exist', ({ sample }) => ({
      ...sample,
      body: JSON.stringify({ controllerId: nothing }),
    })),
  },
};

const findController = async ({ tables }: Administration, name: string) =>
  (await tables.controllers.all()).find((controller) => controller.name === name);

const newController = withNew('controllerId', (administration) => createController(administration));

export const updateControllerHints: OperationHints = {
  refusedWith: settingsRefused,
  moreScenarios: {
    200: plans(
      scenario('of a controller that has failed', async ({ administration, sample }) => {
        const failing = await findController(administration, failingName);
        return withBody(inPath(sample, 'controllerId', failing?.id ?? nothing), { name: failingName });
      }),
      ...['radius-sql', 'mikrotik'].map((kind) =>
        scenario(`of a controller of the kind ${kind}`, async ({ administration, sample }) => {
          const { id = nothing } = (await findController(administration, kind)) ?? {};
          const options = kind === 'mikrotik' ? { usesUserManager: false } : databaseOptions;
          return withBody(inPath(sample, 'controllerId', id), { name: kind, options });
        }),
      ),
    ),
  },
  prepare: async (sample, context) => {
    const { fixture } = context.target;
    if (fixture) await forget(fixture.administration(), { name: 'Zentrale' });
    return newController(sample, context);
  },
  scenarios: {
    409: scenario('with the name of another controller', async ({ administration, sample }) => {
      const name = newName();
      await createController(administration, name);
      return withBody(inPath(sample, 'controllerId', await createController(administration)), { name });
    }),
  },
};

export const deleteControllerHints: OperationHints = {
  prepare: newController,
  scenarios: { 409: scenario('while a site on it is active', ({ sample }) => sample) },
};

export const createSitesHints: OperationHints = {
  refusedWith: ['name-invalid'],
  prepare: newController,
  scenarios: {
    409: scenario('with a site of the controller that is used', async ({ administration, sample }) => {
      const id = await createController(administration);
      const site = { name: 'Hauptgebäude', controllerSite: 'default' };
      await administration.controllers.addSites(id, [site], runActor);
      return inPath(sample, 'controllerId', id);
    }),
  },
};

/** A site of the console of the run, which has a voucher that was not ordered here. */
const addConsoleSite = async (
  administration: Administration,
  { substitutions }: ScenarioContext['target'],
): Promise<number> => {
  const { url, pinned: fingerprint, credentials } = substitutions;
  await forget(administration, { url });
  const controllerId = await administration.controllers.add(
    {
      ...{ name: newName(), kind: 'unifi', force: true },
      settings: { address: { url: String(url), fingerprint: String(fingerprint) } },
      readCredentials: async () => ({ apiKey: String(jsonFields(credentials)['apiKey']) }),
    },
    runActor,
  );
  const sites = [{ name: 'Konsole', controllerSite: 'default' }];
  const [siteId = 0] = await administration.controllers.addSites(controllerId, sites, runActor);
  return siteId;
};

const findFailingSite = async ({ tables }: Administration) =>
  (await tables.sites.all()).find(({ name }) => name === failingName);

const ofFailingSite = scenario(
  'of a site whose controller does not answer',
  async ({ administration, sample }) =>
    inPath(sample, 'siteId', (await findFailingSite(administration))?.id ?? 0),
);

export const listForeignVouchersHints: OperationHints = {
  moreScenarios: {
    200: plans(
      scenario('of a console with vouchers of others', async ({ administration, sample, context }) =>
        inPath(sample, 'siteId', await addConsoleSite(administration, context.target)),
      ),
      ofFailingSite,
    ),
  },
};

export const adoptVouchersHints: OperationHints = { moreScenarios: { 200: ofFailingSite } };

export const syncControllerHints: OperationHints = {
  moreScenarios: {
    200: scenario('of a controller that does not answer', async ({ administration, sample }) =>
      inPath(sample, 'controllerId', (await findFailingSite(administration))?.controllerId ?? 0),
    ),
  },
  scenarios: {
    409: scenario('while another process compares it', async ({ administration, sample }) => {
      const id = await createController(administration);
      await administration.controllers.addSites(id, [{ name: 'Sync', controllerSite: null }], runActor);
      await administration.tables.leases.acquire([`sync-now:${String(id)}`], 'another process', 25_000);
      return inPath(sample, 'controllerId', id);
    }),
  },
};
