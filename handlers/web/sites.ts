import type { WebSchema, WebHandlers } from './handler.js';
import { toSiteReply, toOptionalTime, toSlipReply } from './replies.js';
import { actorOf } from '../../src/auth/account.js';
import { Problem } from '../../src/errors/problem.js';
import { formatCode } from '../../src/vouchers/record.js';
import { describeControllerProblem, toControllerProblem } from '../../src/controllers/controllerProblem.js';
import { ControllerError, OutcomeUnknown, SettingsError } from '../../src/controllers/errors.js';
import { SecretError } from '../../src/secrets/encryption.js';

export const siteHandlers = {
  listSites: async ({ principal, reply }, { sites }) =>
    reply(200, { sites: (await sites.list(principal.user)).map((site) => toSiteReply(site, principal)) }),

  updateSite: async ({ input, principal, reply, client }, { sites }) => {
    const { siteId } = input.path;
    const { isActive, ...values } = input.body;
    await sites.change(
      siteId,
      { ...values, ...(isActive !== undefined && { active: isActive }) },
      actorOf(principal, client),
    );
    return reply(200, toSiteReply(await sites.find(siteId), principal));
  },

  getLogo: async ({ input, principal, reply }, { sites }) => {
    const logo = await sites.logo(input.path.siteId, principal.user);
    if (!logo) throw new Problem('not_found');
    return reply(200, logo.image, {
      'Content-Type': logo.mediaType,
      // Whatever the file holds besides its picture is not run.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  },

  setLogo: async ({ input, principal, reply, client }, { sites }) => {
    await sites.setLogo(input.path.siteId, input.body.image, actorOf(principal, client));
    return reply(204);
  },

  deleteLogo: async ({ input, principal, reply, client }, { sites }) => {
    await sites.removeLogo(input.path.siteId, actorOf(principal, client));
    return reply(204);
  },

  listForeignVouchers: async ({ input, reply, signal }, { foreignVouchers }) => {
    const none = { vouchers: [], total: 0, codeBlock: undefined };
    const { result, problem } = await withProblem(none, () =>
      foreignVouchers.list(input.path.siteId, signal),
    );
    return reply(200, {
      total: result.total,
      problem,
      vouchers: result.vouchers.map(({ expired: _, createdAt, expiresAt, ...voucher }) => ({
        ...voucher,
        formattedCode: formatCode(voucher.code, result.codeBlock),
        createdAt: toOptionalTime(createdAt),
        expiresAt: toOptionalTime(expiresAt),
      })),
    });
  },

  adoptVouchers: async ({ input, principal, reply, client, signal }, { foreignVouchers }) => {
    const { path, body } = input;
    const actor = actorOf(principal, client);
    const { result, problem } = await withProblem(0, () =>
      foreignVouchers.adopt(path.siteId, body.ids ?? undefined, actor, signal),
    );
    return reply(200, { adopted: result, problem });
  },

  getTexts: async ({ input, reply }, { siteTexts, textPreviews }) => {
    const { siteId } = input.path;
    return reply(200, {
      texts: { ...(await siteTexts.get(siteId)) },
      standard: { ...(await textPreviews.standard(siteId)) },
    });
  },

  previewTexts: async ({ input: { path, body }, reply }, { textPreviews }) => {
    const { language, texts, paper = null } = body;
    const preview = await textPreviews.make({ siteId: path.siteId, language, texts, paper });
    if ('problems' in preview) {
      const problems = preview.problems.map(({ name, line, column, found }) => ({
        name,
        line,
        column,
        found,
      }));
      return reply(200, { problems });
    }
    return reply(200, {
      problems: [],
      slip: toSlipReply(preview.slip),
      email: { ...preview.email },
      sms: { ...preview.sms },
      kiosk: { ...preview.kiosk },
      ...(preview.pdf && { pdf: preview.pdf.toString('base64') }),
    });
  },

  updateTexts: async ({ input, principal, reply, client }, { siteTexts }) => {
    const { texts, before } = input.body;
    await siteTexts.change(input.path.siteId, { texts, before }, actorOf(principal, client));
    return reply(204);
  },
} satisfies Partial<WebHandlers>;

/** Asks a controller. What it says when it can't be used is part of the answer. */
const withProblem = async <T>(
  otherwise: T,
  ask: () => Promise<T>,
): Promise<{ result: T; problem: WebSchema<'Texts'> | null }> => {
  try {
    return { result: await ask(), problem: null };
  } catch (error) {
    const isKnown = [ControllerError, OutcomeUnknown, SettingsError, SecretError].some(
      (kind) => error instanceof kind,
    );
    if (!isKnown) throw error;
    return { result: otherwise, problem: { ...describeControllerProblem(toControllerProblem(error)) } };
  }
};
