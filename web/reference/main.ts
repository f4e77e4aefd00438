// The script of the reference at /docs, which draws it with Swagger UI. The page says where the contract and the service are.
import { emptyHeaders } from './headerExamples.ts';
import { plainPaths } from './plainPaths.ts';
import { makeSamplesPanel } from './samplesPanel.ts';
import { keepKeys, readStoredKeys } from './storedKeys.ts';

const page = document.documentElement;
const { contract = '', base = '' } = page.dataset;

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColours = (): void => void page.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColours);
followColours();

const ui = SwaggerUIBundle({
  url: contract,
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  validatorUrl: null,
  plugins: [() => emptyHeaders, () => keepKeys, plainPaths, makeSamplesPanel(location.origin + base)],
  onComplete: () => {
    // Its label has no text.
    document.querySelector('#servers')?.setAttribute('aria-label', 'Server');
    for (const [name, key] of readStoredKeys()) ui.preauthorizeApiKey(name, key);
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
  let shown: unknown;
  new EventSource(`${base}/docs/events`).addEventListener('message', ({ data }: MessageEvent<string>) => {
    const { revision } = JSON.parse(data) as { revision: unknown };
    if (shown !== undefined && revision !== shown) ui.specActions.download(contract);
    shown = revision;
  });
}
