import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { loadTracer, wantsTraces } from '../../src/tracing/loadTracer.js';
import { startProgram, type Program } from '../support/cli.js';
import { makeCliFixture, type CliFixture } from '../support/cliFixture.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** What an OpenTelemetry collector gets over OTLP/HTTP, as JSON. */
interface Collector {
  readonly url: string;
  readonly bodies: string[];
  readonly headers: IncomingHttpHeaders[];
  readonly paths: string[];
  spans(): Span[];
  close(): void;
}

/** With `silence` it reads and never answers. */
const startCollector = async (status: number | 'silence'): Promise<Collector> => {
  const [bodies, headers, paths] = [[], [], []] as [string[], IncomingHttpHeaders[], string[]];
  const server: Server = createServer((req, res) => {
    void text(req).then((body) => {
      bodies.push(body);
      headers.push(req.headers);
      paths.push(req.url ?? '');
      if (status !== 'silence') res.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ bodies, headers, paths },
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const valueOf = ({ attributes }: Pick<Span, 'attributes'>, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

let cli: CliFixture;
let key: string;
let siteId: number;
let target: WebhookTarget;
const started: Program[] = [];
const collectors: Collector[] = [];

beforeAll(async () => {
  target = await startWebhookTarget();
  cli = await makeCliFixture({ HOOK: `${target.url}/secret-hook`, WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
  await cli.voucherd('controller', 'add', '--name', 'Zentrale', '--kind', 'simulated');
  const site = await cli.voucherd('site', 'add', '--name', 'Hauptgebäude', '--controller', 'Zentrale');
  siteId = Number(site.out);
  key = (await cli.voucherd('key', 'create', '--name', 'Buchungssystem', '--scope', 'write')).out.trim();
  const hook = ['--name', 'Buchung', '--format', 'mattermost', '--url-env', 'HOOK'];
  expect(await cli.voucherd('webhook', 'add', ...hook)).toMatchObject({ status: 0 });
});
afterEach(async () => {
  for (const { process: child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  for (const { close } of collectors.splice(0)) close();
});
afterAll(async () => {
  await cli.remove();
  await target.stop();
});

const startWith = async (env: Record<string, string>): Promise<{ program: Program; url: string }> => {
  const program = startProgram(['serve', '--json'], {
    ...cli.env,
    ...{
      PORT: '0',
      DATABASE_TIMEOUT_S: '120',
      STOP_DEADLINE_S: '600',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      ...env,
    },
  });
  started.push(program);
  return { program, url: await program.url() };
};

const collect = async (status: number | 'silence' = 200): Promise<Collector> => {
  const collector = await startCollector(status);
  collectors.push(collector);
  return collector;
};

const order = (url: string, headers: Record<string, string> = {}) =>
  send(url, 'POST', '/vouchers.php', { key, headers, body: { site_id: siteId, name: 'Familie Berger' } });

test('an order is a trace from its client to the controller, the database and the webhook', async () => {
  const collector = await collect();
  const { url } = await startWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'empfang',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=front-desk',
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const parent = '00f067aa0ba902b7';
  const answer = await order(url, { traceparent: `00-${traceId}-${parent}-01` });
  expect(answer.status).toBe(201);
  const named = (name: string): Span | undefined => collector.spans().find((span) => span.name === name);
  const request = await until('the span of the request', () => named('createVoucher'));
  const call = await until('the span of the call', () => named('controller create'));
  await until('the span of the delivery', () => named('webhook delivery'));
  expect(request).toMatchObject({ traceId, parentSpanId: parent, kind: 2 });
  expect(valueOf(request, 'http.response.status_code')).toBe(201);
  expect(valueOf(request, 'http.request.method')).toBe('POST');
  expect(call).toMatchObject({ traceId, parentSpanId: request.spanId, kind: 3 });
  expect(valueOf(call, 'voucherd.controller.kind')).toBe('simulated');
  const statements = collector.spans().filter((span) => valueOf(span, 'db.query.summary') !== undefined);
  expect(statements.map(({ name }) => name)).toContain('insert intents');
  expect(new Set(statements.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(valueOf(named('webhook delivery')!, 'http.response.status_code')).toBe(200);

  expect(new Set(collector.paths)).toEqual(new Set(['/v1/traces']));
  expect(collector.headers[0]).toMatchObject({ 'x-team': 'front-desk' });
  const { resourceSpans } = JSON.parse(collector.bodies[0] ?? '') as Export;
  expect(valueOf(resourceSpans[0]!.resource, 'service.name')).toBe('empfang');
  const { code, formatted_code: formatted } = answer.body as Record<string, string>;
  for (const secret of [key, 'Berger', code, formatted, 'secret-hook', 'Hauptgebäude', 'Buchungssystem'])
    expect(collector.bodies.join('\n')).not.toContain(secret);
});

test('a trace that its client does not record is not recorded, and a wrong one begins anew', async () => {
  const collector = await collect();
  const { url } = await startWith({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` });
  const unwanted = '11111111111111111111111111111111';
  const list = (traceparent: string) =>
    send(url, 'GET', `/vouchers.php?site_id=${siteId}`, { key, headers: { traceparent } });
  expect((await list(`00-${unwanted}-00f067aa0ba902b7-00`)).status).toBe(200);
  for (const wrong of ['x'.repeat(15_000), `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, '00-ü'])
    expect((await list(encodeURI(wrong))).status).toBe(200);
  const lists = await until('three lists', () => {
    const found = collector.spans().filter(({ name }) => name === 'listVouchers');
    return found.length >= 3 ? found : undefined;
  });
  expect(lists).toHaveLength(3);
  for (const { traceId, parentSpanId } of lists) {
    expect(traceId).not.toBe(unwanted);
    expect(parentSpanId ?? '').toBe('');
  }
});

test('two requests at a time with one id have a span each', async () => {
  const collector = await collect();
  const { url } = await startWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const requestId = 'one-id-for-all';
  const ordering = request(`${url}/vouchers.php`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'x-request-id': requestId, expect: '100-continue' },
      'content-type': 'application/json',
    },
  });
  const answered = once(ordering, 'response') as Promise<[IncomingMessage]>;
  ordering.flushHeaders();
  // The first is at work when the second comes, and ends after it.
  await once(ordering, 'continue');
  const headers = { 'x-request-id': requestId };
  expect((await send(url, 'GET', `/vouchers.php?site_id=${siteId}`, { key, headers })).status).toBe(200);
  ordering.end(JSON.stringify({ site_id: siteId, name: 'Familie Berger' }));
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(201);
  const spans = await until('both spans', () => {
    const found = collector.spans().filter((span) => valueOf(span, 'voucherd.request.id') === requestId);
    return found.length >= 2 ? found : undefined;
  });
  const ends = spans.map((span) => [span.name, valueOf(span, 'http.response.status_code')]);
  expect(ends.sort()).toEqual([
    ['createVoucher', 201],
    ['listVouchers', 200],
  ]);
});

test.each(['silence', 500] as const)('a collector with %s affects no request and no stop', async (how) => {
  const collector = await collect(how);
  const { program, url } = await startWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  expect((await order(url)).status).toBe(201);
  await until('spans arrive', () => collector.bodies.length > 0);
  expect((await order(url)).status).toBe(201);
  // The service does not know that the collector will never answer: it ends all the same.
  program.process.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ status: 0 });
});

test('traces are wanted when a variable names a collector, unless another one forbids them', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  const cases: [Record<string, string>, boolean][] = [
    [{}, false],
    [{ OTEL_SERVICE_NAME: 'voucherd' }, false],
    [endpoint, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, false],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  ];
  expect(cases.map(([env]) => [env, wantsTraces(env)])).toEqual(cases);
});

test('an exporter that is not known sends nothing, and the start says so', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  for (const exporter of ['zipkin', 'none', 'OTLP'])
    expect(await loadTracer({ OTEL_TRACES_EXPORTER: exporter }, log, '1')).toBeUndefined();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('OTEL_TRACES_EXPORTER');
});
