import type { Log } from '../log/log.js';
import type { Tracer } from './tracer.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Do OpenTelemetry's own variables ask for traces? */
export const wantsTraces = (env: Environment): boolean => {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  const exporter = env['OTEL_TRACES_EXPORTER'];
  if (exporter) return exporter.split(',').some((name) => name.trim() === 'otlp');
  return Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
};

/** Loads OpenTelemetry, which takes time and memory, only when its variables ask for traces. */
export const loadTracer = async (
  env: Environment,
  log: Log,
  version: string,
): Promise<Tracer | undefined> => {
  const exporters = (env['OTEL_TRACES_EXPORTER'] ?? '').split(',').map((name) => name.trim());
  if (exporters.some((name) => !['', 'otlp', 'none'].includes(name)))
    log.warn(
      'OTEL_TRACES_EXPORTER names an exporter that is not known here: otlp sends traces, none does not',
    );
  if (!wantsTraces(env)) return undefined;
  const { makeTracer } = await import('./openTelemetry.js');
  return makeTracer(env, log, version);
};
