import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Description } from '../contract/description.js';
import { Problem } from '../problem.js';
import { jsonAnswer, jsonType, send } from './answer.js';
import type { OriginOf } from './origin.js';

/** Serves the description of the API: no key, no limit. */
export interface DescriptionEndpoint {
  handles(path: string): boolean;
  serve(req: IncomingMessage, res: ServerResponse, path: string, id: string): void;
}

interface Page {
  bytes: Buffer;
  etag: string;
}

export const makeDescriptionEndpoint = (
  description: Description,
  basePath: string,
  originOf: OriginOf,
): DescriptionEndpoint => {
  const jsonPath = `${basePath}/openapi.php`;
  const yamlPath = `${basePath}/openapi.yaml`;
  // Bounded, because the Host header is the client's to choose.
  const pages = new LRUCache<string, Page>({ max: 64 });

  const pageFor = (path: string, url: string): Page => {
    const name = `${path} ${url}`;
    const kept = pages.get(name);
    if (kept) return kept;
    const bytes = Buffer.from(path === jsonPath ? description.json(url) : description.yaml(url));
    const page = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"` };
    pages.set(name, page);
    return page;
  };

  return {
    handles: (path) => path === jsonPath || path === yamlPath,
    serve: (req, res, path, id) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        send(
          req,
          res,
          jsonAnswer(405, { error: 'method_not_allowed' }, ['Allow', 'GET, HEAD', 'X-Request-Id', id]),
        );
        return;
      }
      let page: Page;
      try {
        page = pageFor(path, originOf(req) + basePath);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        send(req, res, jsonAnswer(400, { error: error.code, message: error.message }, ['X-Request-Id', id]));
        return;
      }
      const headers = [
        'X-Request-Id',
        id,
        'ETag',
        page.etag,
        'Vary',
        'Host',
        'Access-Control-Allow-Origin',
        '*',
      ];
      if (req.headers['if-none-match'] === page.etag) {
        res.writeHead(304, headers).end();
        return;
      }
      const type = path === jsonPath ? jsonType : 'application/yaml; charset=utf-8';
      res.writeHead(200, [...headers, 'Content-Type', type, 'Content-Length', String(page.bytes.length)]);
      res.end(page.bytes);
    },
  };
};
