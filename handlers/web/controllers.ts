import type { WebHandlers } from './handler.js';
import { toControllerReply, toTestStepReply, toSiteReply } from './replies.js';
import { actorOf } from '../../src/auth/account.js';
import { eventStreamHeaders, makeEventStream } from '../../src/lib/eventStream.js';
import { describeControllerProblem, toControllerProblem } from '../../src/controllers/controllerProblem.js';

export const controllerHandlers = {
  listControllers: async ({ reply }, { controllers }) =>
    reply(200, { controllers: (await controllers.list()).map(toControllerReply) }),

  createController: async ({ input: { body }, principal, reply, client }, { controllers }) => {
    const { name, kind, force, credentials = {}, ...address } = body;
    const id = await controllers.add(
      { name, kind, settings: { address }, force, readCredentials: async () => credentials },
      actorOf(principal, client),
    );
    return reply(201, toControllerReply(await controllers.show(id)));
  },

  testController: async ({ input: { body }, reply }, { controllerTests }) => {
    const stream = makeEventStream();
    const gone = new AbortController();
    stream.body.once('close', () => gone.abort());
    const { done } = await controllerTests
      .begin(body, gone.signal, (step) => stream.send('step', toTestStepReply(step)))
      .catch((error: unknown) => {
        stream.body.destroy();
        throw error;
      });
    const end = (): void => {
      stream.send('end', {});
      stream.end();
    };
    void done.then(end, end);
    return reply(200, stream.body, eventStreamHeaders);
  },

  updateController: async ({ input: { path, body }, principal, reply, client }, { controllers }) => {
    const { name, force, credentials, ...address } = body;
    const update = {
      name,
      force,
      settings: { address },
      credentials,
    };
    await controllers.change(path.controllerId, update, actorOf(principal, client));
    return reply(200, toControllerReply(await controllers.show(path.controllerId)));
  },

  deleteController: async ({ input, principal, reply, client }, { controllers }) => {
    await controllers.remove(input.path.controllerId, actorOf(principal, client));
    return reply(204);
  },

  createSites: async ({ input: { path, body }, principal, reply, client }, { controllers }) => {
    const ids = await controllers.addSites(path.controllerId, body.sites, actorOf(principal, client));
    const { sites } = await controllers.show(path.controllerId);
    return reply(201, {
      sites: sites.filter(({ id }) => ids.includes(id)).map((site) => toSiteReply(site, principal)),
    });
  },

  syncController: async ({ input, reply }, { syncNow }) => {
    const result = await syncNow(input.path.controllerId);
    if (!result) return reply(200, { state: 'running', changed: 0, gone: 0, problem: null });
    const { changed, gone, failures } = result;
    const [failure] = failures;
    return reply(200, {
      state: failure ? 'failed' : 'done',
      changed,
      gone,
      problem: failure ? { ...describeControllerProblem(toControllerProblem(failure.error)) } : null,
    });
  },
} satisfies Partial<WebHandlers>;
