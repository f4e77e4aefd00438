import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { findPackageFile } from '../../lib/packageFiles.js';
import { codeSampleScript } from './codeSamples.js';
import type { ResolveBasePath } from '../client.js';
import { logo, logoFile } from './logo.js';
import { serveFile } from './servedFile.js';

export interface ReferenceOptions {
  resolveBasePath: ResolveBasePath;
  /** Tells open pages that the contract has changed; only in development. */
  contractEvents?: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;
}

/** Scripts and styles only from here; Swagger UI sets some styles in place. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The reference at `/docs`, with a form to try each operation; nothing of it comes from another host. */
export const makeReference = ({ resolveBasePath, contractEvents }: ReferenceOptions): Router => {
  const router = Router();
  router.use((_req, res, next) => {
    res.set('Content-Security-Policy', contentSecurityPolicy);
    res.set('Referrer-Policy', 'no-referrer');
    next();
  });
  router.get('/', (req, res) => {
    const page = renderReferencePage(resolveBasePath(req), contractEvents !== undefined);
    res.vary('X-Forwarded-Prefix').type('html').send(page);
  });
  const own = {
    'samples.js': codeSampleScript,
    'docs.js': referenceScript,
    'docs.css': referenceStyle,
    'logo.svg': logoFile,
  };
  for (const [name, text] of Object.entries(own)) {
    router.get(`/${name}`, (_req, res) => {
      res.type(name).send(text);
    });
  }
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    router.get(
      `/${name}`,
      serveFile(name, findPackageFile('swagger-ui-dist', name), { 'Cache-Control': 'public, max-age=86400' }),
    );
  if (contractEvents) router.get('/events', contractEvents);
  return router;
};

/** The page at `/docs`: a frame for the reference, which is drawn by its script. */
const renderReferencePage = (basePath: string, reloads: boolean): string => `<!doctype html>
<html lang="en" data-contract="${basePath}/openapi.yaml" data-base="${basePath}"${reloads ? ' data-reloads' : ''}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>voucherd: API reference</title>
<link rel="icon" href="${basePath}/docs/logo.svg">
<link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">
<link rel="stylesheet" href="${basePath}/docs/docs.css">
<header>
  <a class="brand" href="${basePath}/">${logo}<span>voucherd</span></a>
  <nav>
    <a href="${basePath}/openapi.php">openapi.php</a>
    <a href="${basePath}/openapi.yaml">openapi.yaml</a>
  </nav>
</header>
<main id="docs"><noscript>The reference needs JavaScript. The contract itself is at <a href="${basePath}/openapi.yaml">openapi.yaml</a>.</noscript></main>
<script src="${basePath}/docs/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/samples.js"></script>
<script src="${basePath}/docs/docs.js"></script>
</html>
`;

/** Runs in the browser. */
const referenceScript = `'use strict';
const page = document.documentElement;
const { contract, base } = page.dataset;

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => page.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// An optional header is the reader's to send: filled in from its example, an Idempotency-Key would be that of the last
// try, and an ETag that of nothing.
const isOptionalHeader = (node) => node.in === 'header' && node.required !== true;
const withoutExample = ({ example, examples, ...rest }) => rest;
const withoutHeaderExamples = (node) => {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(withoutHeaderExamples);
  const shown = isOptionalHeader(node) ? { ...withoutExample(node), schema: withoutExample(node.schema ?? {}) } : node;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, withoutHeaderExamples(value)]));
};
const emptyHeaders = {
  statePlugins: {
    spec: {
      wrapActions: { updateJsonSpec: (update) => (contract) => update(withoutHeaderExamples(contract)) },
    },
  },
};

// The keys that were entered last as long as the tab: a reload keeps them, another tab does not have them.
const storedKeys = {
  place: 'voucherd.keys',
  read: () => {
    try {
      return Object.entries(JSON.parse(sessionStorage.getItem(storedKeys.place) ?? '{}'));
    } catch {
      return [];
    }
  },
  write: (keys) => {
    try {
      sessionStorage.setItem(storedKeys.place, JSON.stringify(Object.fromEntries(keys)));
    } catch {
      // Without storage the page forgets the keys when it is closed.
    }
  },
};
const keepKeys = {
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (given) => {
          const added = Object.entries(given).filter(([, { value }]) => typeof value === 'string');
          storedKeys.write([...storedKeys.read(), ...added.map(([name, { value }]) => [name, value])]);
          return authorize(given);
        },
        logout: (logout) => (names) => {
          storedKeys.write(storedKeys.read().filter(([name]) => !names.includes(name)));
          return logout(names);
        },
      },
    },
  },
};

// Code samples stand above the responses: of the examples, and once something was sent, of that. Swagger UI's own curl
// line would show the key.
let language = 'curl';
const languageListeners = new Set();
const chooseLanguage = (name) => {
  language = name;
  for (const listener of languageListeners) listener(name);
};
const copyText = async (text, element) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Only pages of this machine and those with https may use the clipboard; selecting works everywhere.
    getSelection().selectAllChildren(element);
    document.execCommand('copy');
  }
};
const showSamples = (system) => {
  const { React } = system;
  const { createElement: element, useEffect, useRef, useState } = React;
  const Samples = ({ request }) => {
    const [chosen, setChosen] = useState(language);
    const [copied, setCopied] = useState(false);
    const code = useRef(null);
    useEffect(() => {
      languageListeners.add(setChosen);
      return () => void languageListeners.delete(setChosen);
    }, []);
    const text = codeSamples.languages[chosen](request);
    useEffect(() => setCopied(false), [text]);
    const tabs = Object.keys(codeSamples.languages).map((name) =>
      element('button', { key: name, type: 'button', 'aria-pressed': name === chosen, onClick: () => chooseLanguage(name) }, name));
    const copy = () => copyText(text, code.current).then(() => setCopied(true));
    const usesKey = request.headers.some(({ isKey }) => isKey);
    return element('section', { className: 'samples', 'aria-label': 'Code samples' },
      element('div', { className: 'samples-bar' },
        element('div', { role: 'group', 'aria-label': 'Language' }, tabs),
        element('button', { type: 'button', className: 'samples-copy', onClick: copy }, copied ? 'Copied' : 'Copy')),
      element('pre', { tabIndex: 0 }, element('code', { ref: code }, text)),
      usesKey && element('p', null, 'The API key comes from the environment variable ', element('code', null, codeSamples.variable), '.'));
  };
  const requestOf = ({ path, method, specSelectors }) => {
    const contract = specSelectors.specJson().toJS();
    const sent = specSelectors.mutatedRequestFor(path, method)?.toJS();
    return sent?.url
      ? codeSamples.sentRequest(contract, sent, storedKeys.read().map(([, key]) => key))
      : codeSamples.documentedRequest(contract, location.origin + base, path, method);
  };
  return {
    wrapComponents: {
      curl: () => () => null,
      responses: (Responses) => (props) =>
        element(React.Fragment, null, element(Samples, { request: requestOf(props) }), element(Responses, props)),
    },
  };
};

const ui = SwaggerUIBundle({
  url: contract,
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  validatorUrl: null,
  plugins: [() => emptyHeaders, () => keepKeys, showSamples],
  onComplete: () => {
    for (const [name, key] of storedKeys.read()) ui.preauthorizeApiKey(name, key);
  },
  // The contract names the address under which others reach the service; the reader has reached it at this one.
  requestInterceptor: (request) => {
    if (!request.loadSpec) {
      const { pathname, search } = new URL(request.url, location.href);
      request.url = location.origin + pathname + search;
    }
    return request;
  },
});

if ('reloads' in page.dataset) {
  // The first event names what is shown already; one that comes after a restart may name another.
  let shown;
  new EventSource(base + '/docs/events').addEventListener('message', ({ data }) => {
    const { revision } = JSON.parse(data);
    if (shown !== undefined && revision !== shown) ui.specActions.download(contract);
    shown = revision;
  });
}
`;

const referenceStyle = `
:root { color-scheme: light dark; --ink: #14213d; --soft: #5b6780; --ground: #f4f6fa; --card: #fff; --line: #dde3ee; --accent: #0b6e6e; --on-accent: #fff; }
html.dark-mode { --ink: #e8ecf4; --soft: #9aa6bf; --ground: #10151f; --card: #1a2130; --line: #2c3547; --accent: #4fd1c5; --on-accent: #10151f; }
html, html.dark-mode, body, .swagger-ui, html.dark-mode .swagger-ui { background: var(--ground); }
body { margin: 0; color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; flex-wrap: wrap; max-width: 1460px; margin: 0 auto; padding: 1rem 20px; box-sizing: border-box; border-bottom: 1px solid var(--line); }
header a { color: inherit; text-decoration: none; }
header a:hover, header a:focus-visible { color: var(--accent); }
nav { display: flex; gap: 1.25rem; font: .9rem ui-monospace, monospace; color: var(--soft); }
.brand { display: flex; align-items: center; gap: .6rem; font-size: 1.35rem; font-weight: 650; letter-spacing: -.02em; }
.brand svg { color: var(--accent); }
noscript { display: block; max-width: 40rem; margin: 3rem auto; padding: 0 20px; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-operation-id, .swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-description, .swagger-ui section.models h4, .swagger-ui .btn { font-family: system-ui, sans-serif; }
.swagger-ui .opblock .opblock-summary-path { font-family: ui-monospace, monospace; }
.swagger-ui .info { margin: 1.75rem 0; }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { background: var(--card); border: 1px solid var(--line); border-width: 1px 0; box-shadow: none; }
.swagger-ui .btn.authorize, html.dark-mode .swagger-ui .btn.authorize { border-color: var(--accent); color: var(--accent); }
.swagger-ui .btn.authorize svg, html.dark-mode .swagger-ui .btn.authorize svg { fill: var(--accent); color: var(--accent); }
.swagger-ui .btn.execute, html.dark-mode .swagger-ui .opblock .btn.execute { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.samples { margin: 20px; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: var(--ink); overflow: hidden; }
.samples-bar { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
.samples-bar > div { display: flex; flex-wrap: wrap; }
.samples button { padding: .3rem .7rem; border: 0; border-radius: 4px; background: none; color: var(--soft); font: 600 .85rem system-ui, sans-serif; cursor: pointer; }
.samples button:hover { color: var(--accent); }
.samples button:focus-visible, .samples pre:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.samples button[aria-pressed=true] { background: var(--ground); color: var(--accent); }
.samples .samples-copy { min-width: 4.5rem; }
.samples pre { margin: 0; padding: .9rem 1rem; overflow-x: auto; font: .82rem/1.55 ui-monospace, monospace; white-space: pre; }
.samples code { padding: 0; background: none; color: inherit; font-family: ui-monospace, monospace; font-weight: 400; }
.samples .samples-copy { margin-left: auto; }
.samples p { margin: 0; padding: .5rem 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .85rem; }
html.dark-mode .swagger-ui table.headers td { color: var(--ink); }
@media (max-width: 640px) {
  .swagger-ui .responses-table .response-col_links { display: none; }
  .swagger-ui .wrapper { padding: 0 8px; }
  .samples-bar { gap: 0; padding: .35rem .25rem; }
  .samples button { padding: .3rem .4rem; font-size: .8rem; }
  .samples .samples-copy { min-width: 0; }
}
`;

/** Tells pages that show the contract when there is another one. For development only. */
interface ContractEvents {
  /** Server-sent events: one at once and one at each change, with `{"revision":"…"}` as its data. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  notify(): void;
  /** Ends all streams; what comes later is ended at once. */
  close(): void;
}

/** Shorter than the time after which the server ends a silent connection. */
const heartbeatMs = 30_000;

/** `process` tells the revisions of this process from those of the next one. */
export const makeContractEvents = (process: string): ContractEvents => {
  const streams = new Set<ServerResponse>();
  let count = 0;
  let closed = false;
  const event = (): string => `data: ${JSON.stringify({ revision: `${process}-${String(count)}` })}\n\n`;
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.write(': still here\n\n');
  }, heartbeatMs).unref();

  return {
    handle: (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
      // A browser comes back after half a second when the service restarts.
      res.write(`retry: 500\n${event()}`);
      streams.add(res);
      res.once('close', () => streams.delete(res));
      if (closed) res.end();
    },
    notify: () => {
      count += 1;
      for (const stream of streams) stream.write(event());
    },
    close: () => {
      closed = true;
      clearInterval(heartbeat);
      for (const stream of streams) stream.end();
    },
  };
};
