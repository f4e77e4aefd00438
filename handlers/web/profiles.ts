import type { WebHandlers } from './handler.js';
import { toProfileReply } from './replies.js';
import { actorOf } from '../../src/auth/account.js';

export const profileHandlers = {
  listProfiles: async ({ principal, reply }, { profiles }) => {
    // Before the list: an order that is made of it is never newer than what it was made of.
    const revision = await profiles.revision();
    return reply(200, { revision, profiles: (await profiles.list(principal.user)).map(toProfileReply) });
  },

  createProfile: async ({ input, principal, reply, client }, { profiles }) =>
    reply(201, toProfileReply(await profiles.add(input.body, actorOf(principal, client)))),

  updateProfile: async ({ input, principal, reply, client }, { profiles }) => {
    const { profileId } = input.path;
    return reply(
      200,
      toProfileReply(await profiles.change(profileId, input.body, actorOf(principal, client))),
    );
  },

  deleteProfile: async ({ input, principal, reply, client }, { profiles }) => {
    await profiles.remove(input.path.profileId, actorOf(principal, client));
    return reply(204);
  },

  setProfileOrder: async ({ input, principal, reply, client }, { profiles }) => {
    const { profileIds, revision } = input.body;
    await profiles.reorder(profileIds, revision, actorOf(principal, client));
    return reply(204);
  },

  setDefaultProfile: async ({ input, principal, reply, client }, { profiles }) => {
    await profiles.setDefault(input.body.profileId, actorOf(principal, client));
    return reply(204);
  },
} satisfies Partial<WebHandlers>;
