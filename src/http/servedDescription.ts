import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Description } from '../contract/description.js';
import { makeCachedText, type CachedBody } from '../lib/cachedBody.js';
import { isHttpProblem } from '../errors/httpProblem.js';
import type { Origin, ResolveOrigin } from './client.js';
import type { ErrorForm } from './errorForm.js';
import { jsonContentType, matchesEtag, sendResponse, noSniffing } from './response.js';

/** Serves the description of the API: no key, no limit. */
export interface DescriptionEndpoint {
  handles(path: string): boolean;
  /** Its methods, for `Allow`. */
  readonly methods: readonly string[];
  serve(req: IncomingMessage, res: ServerResponse, path: string): void;
}

const descriptionMethods = ['GET', 'HEAD'];

interface DescriptionEndpointOptions {
  description: Description;
  basePath: string;
  /** Where it is served as JSON: `/openapi.json`. */
  descriptionPath: string;
  resolveOrigin: ResolveOrigin;
  errors: ErrorForm;
}

export const makeDescriptionEndpoint = ({
  description,
  basePath,
  descriptionPath,
  resolveOrigin,
  errors,
}: DescriptionEndpointOptions): DescriptionEndpoint => {
  const jsonPath = basePath + descriptionPath;
  const yamlPath = `${basePath}/openapi.yaml`;
  // Bounded, because the Host header is the client's to choose.
  const pages = new LRUCache<string, CachedBody<string>>({ max: 64 });

  const pageFor = (path: string, url: string): CachedBody<string> => {
    const name = `${path} ${url}`;
    const page =
      pages.get(name) ??
      makeCachedText<string>(path === jsonPath ? description.json(url) : description.yaml(url));
    pages.set(name, page);
    return page;
  };

  return {
    methods: descriptionMethods,
    handles: (path) => path === jsonPath || path === yamlPath,
    serve: (req, res, path) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        const allow = ['Allow', descriptionMethods.join(', ')];
        sendResponse(req, res, errors.response(405, { code: 'method_not_allowed', target: req.url }, allow));
        return;
      }
      let origin: Origin;
      try {
        origin = resolveOrigin(req);
      } catch (error) {
        if (!isHttpProblem(error)) throw error;
        sendResponse(req, res, errors.problemResponse(error, req.url));
        return;
      }
      const page = pageFor(path, origin.url + origin.basePath + basePath);
      const headers = [
        'ETag',
        page.etag,
        'Vary',
        origin.vary,
        'Access-Control-Allow-Origin',
        '*',
        ...noSniffing,
      ];
      if (matchesEtag(req, page.etag)) {
        res.writeHead(304, headers).end();
        return;
      }
      const type = path === jsonPath ? jsonContentType : 'application/yaml; charset=utf-8';
      res.writeHead(200, [...headers, 'Content-Type', type, 'Content-Length', String(page.bytes.length)]);
      res.end(page.bytes);
    },
  };
};
