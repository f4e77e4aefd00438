import { AsyncLocalStorage } from 'node:async_hooks';
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { errorCode } from '../lib/errorCode.js';
import { publicText } from '../lib/publicText.js';
import type { Log } from '../log/log.js';
import type { SpanDescription, Tracer } from './tracer.js';

// The only file that imports OpenTelemetry. The build puts it, with the packages, into a file of its own.

type Environment = Readonly<Record<string, string | undefined>>;

/** How long a stopping service waits for a collector. */
const shutdownMs = 2000;
/** No attribute of ours is longer, and none from outside may be. */
const maxAttributeLength = 256;

/** A span that work is done in. */
interface ActiveSpan {
  readonly span: Span;
  readonly context: Context;
  isEnded: boolean;
}

/** Makes a tracer that sends spans to the collector of OpenTelemetry's variables. */
export const makeTracer = (env: Environment, log: Log, version: string): Tracer => {
  const scheduledDelayMillis = toMs(env['OTEL_BSP_SCHEDULE_DELAY']);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'voucherd', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: readSampler(env, log),
    spanLimits: { attributeValueLengthLimit: maxAttributeLength },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(new OTLPTraceExporter(), log),
        ...(scheduledDelayMillis !== undefined && { scheduledDelayMillis }),
      }),
    ],
  });
  const tracer = provider.getTracer('voucherd', version);
  const propagator = new W3CTraceContextPropagator();
  const actives = new AsyncLocalStorage<ActiveSpan>();
  /** By their responses: clients choose the ids, and may choose one twice. */
  const requests = new WeakMap<object, ActiveSpan>();
  /** Timers that a request has set belong to it for ever. What they do after its end is not part of it. */
  const findActive = (): ActiveSpan | undefined => {
    const active = actives.getStore();
    return active?.isEnded ? undefined : active;
  };
  const current = (): Context => findActive()?.context ?? ROOT_CONTEXT;

  const start = ({ name, kind, attributes }: SpanDescription): Span => {
    const options = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes };
    return tracer.startSpan(name, options, current());
  };
  const activate = (span: Span, parent: Context): ActiveSpan => ({
    span,
    context: trace.setSpan(parent, span),
    isEnded: false,
  });
  const end = (active: ActiveSpan): void => {
    if (!active.isEnded) active.span.end();
    active.isEnded = true;
  };

  return {
    traceRequest: (req, res, requestId, work) => {
      const method = req.method ?? '';
      const parent = propagator.extract(ROOT_CONTEXT, req.headers, defaultTextMapGetter);
      const attributes = { 'http.request.method': method, 'voucherd.request.id': requestId };
      const active = activate(
        tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent),
        parent,
      );
      requests.set(res, active);
      // A request that is never answered, because its client is gone.
      res.once('close', () => end(active));
      return actives.run(active, work);
    },
    noteResponse: (res, operation, status) => {
      const active = requests.get(res);
      if (!active || active.isEnded) return;
      const { span } = active;
      if (operation !== 'none') span.updateName(operation);
      span.setAttributes({ 'voucherd.operation': operation, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      end(active);
    },
    run: async (description, work) => {
      const active = activate(start(description), current());
      try {
        return await actives.run(active, work);
      } catch (error) {
        noteError(active.span, error);
        throw error;
      } finally {
        end(active);
      }
    },
    begin: (description) => {
      const span = start(description);
      return (error, attributes = {}) => {
        span.setAttributes(attributes);
        if (error !== undefined) noteError(span, error);
        span.end();
      };
    },
    isActive: () => findActive() !== undefined,
    shutdown: async () => {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, shutdownMs);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      clearTimeout(timer);
    },
  };
};

/** The code or the class of an error. Its text may hold what is nobody's business. */
const noteError = (span: Span, error: unknown): void => {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', errorCode(error) || (error instanceof Error ? error.name : 'unknown'));
};

/**
 * A collector that is away is reported once, and when it is
 * back. Traces are lost meanwhile, and nothing else.
 */
const reportFailures = (exporter: SpanExporter, log: Log): SpanExporter => {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !isFailing)
          log.warn({ reason: publicText(result.error) }, 'traces are lost: the collector does not take them');
        if (!failed && isFailing) log.info('the collector takes traces again');
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
};

const toMs = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/**
 * As OpenTelemetry's specification has it: a value that is not known is reported, and the default is used.
 */
const readSampler = (env: Environment, log: Log): Sampler => {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const given = Number(env['OTEL_TRACES_SAMPLER_ARG'] || 1);
  const ratio = given >= 0 && given <= 1 ? given : 1;
  const roots: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const [, isParentBased, kind = ''] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const makeRoot = roots[kind];
  if (!makeRoot || ratio !== given)
    log.warn('OTEL_TRACES_SAMPLER or OTEL_TRACES_SAMPLER_ARG is not known: every trace is recorded');
  if (!makeRoot) return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  return isParentBased ? new ParentBasedSampler({ root: makeRoot() }) : makeRoot();
};
