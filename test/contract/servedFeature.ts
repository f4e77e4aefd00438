import type { ServedForTest } from '../support/contractServer.js';
import { contractOf, type Feature, type HandlerRequest } from './feature.js';

/** The contract of a feature with its handler for every operation. */
export const serveFeature = (feature: Feature, file?: string): ServedForTest => {
  const handler = feature.handler ?? (({ input, reply }: HandlerRequest) => reply(200, input));
  const written = [feature.paths, ...Object.values(feature.files ?? {})].join('\n');
  const ids = [...written.matchAll(/operationId: (\w+)/g)].map(([, id = '']) => id);
  return {
    source: contractOf(feature),
    ...(feature.basePath !== undefined && { basePath: feature.basePath }),
    ...(feature.access && { access: feature.access }),
    ...(file !== undefined && { file }),
    handlers: Object.fromEntries(
      ids.map((id) => [
        id,
        async ({ input, principal, reply }: HandlerRequest) =>
          handler({ operationId: id, input, principal, reply }),
      ]),
    ),
  };
};
