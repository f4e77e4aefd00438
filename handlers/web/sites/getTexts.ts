import type { WebHandler } from '../handler.js';

export const getTexts: WebHandler<'getTexts'> = async ({ input, reply }, { siteTexts, textPreviews }) => {
  const { siteId } = input.path;
  return reply(200, {
    texts: { ...(await siteTexts.get(siteId)) },
    standard: { ...(await textPreviews.standard(siteId)) },
  });
};
