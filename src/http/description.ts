import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Description } from '../contract/description.js';
import { keepText, type Kept } from '../kept.js';
import { Problem } from '../problem.js';
import { isKnown, jsonAnswer, jsonType, methodNotAllowed, send } from './answer.js';
import type { Origin, OriginOf } from './origin.js';

/** Serves the description of the API: no key, no limit. */
export interface DescriptionEndpoint {
  handles(path: string): boolean;
  /** Its methods, for `Allow`. */
  readonly methods: readonly string[];
  serve(req: IncomingMessage, res: ServerResponse, path: string): void;
}

const methods = ['GET', 'HEAD'];

export const makeDescriptionEndpoint = (
  description: Description,
  basePath: string,
  originOf: OriginOf,
): DescriptionEndpoint => {
  const jsonPath = `${basePath}/openapi.php`;
  const yamlPath = `${basePath}/openapi.yaml`;
  // Bounded, because the Host header is the client's to choose.
  const pages = new LRUCache<string, Kept<string>>({ max: 64 });

  const pageFor = (path: string, url: string): Kept<string> => {
    const name = `${path} ${url}`;
    const page =
      pages.get(name) ?? keepText<string>(path === jsonPath ? description.json(url) : description.yaml(url));
    pages.set(name, page);
    return page;
  };

  return {
    methods,
    handles: (path) => path === jsonPath || path === yamlPath,
    serve: (req, res, path) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        send(req, res, jsonAnswer(405, methodNotAllowed, ['Allow', methods.join(', ')]));
        return;
      }
      let origin: Origin;
      try {
        origin = originOf(req);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        send(req, res, jsonAnswer(400, { error: error.code, message: error.message }));
        return;
      }
      const page = pageFor(path, origin.url + basePath);
      const headers = ['ETag', page.etag, 'Vary', origin.vary, 'Access-Control-Allow-Origin', '*'];
      if (isKnown(req, page.etag)) {
        res.writeHead(304, headers).end();
        return;
      }
      const type = path === jsonPath ? jsonType : 'application/yaml; charset=utf-8';
      res.writeHead(200, [...headers, 'Content-Type', type, 'Content-Length', String(page.bytes.length)]);
      res.end(page.bytes);
    },
  };
};
