import type { SettingGroup } from './setting.js';

/** What OpenTelemetry defines for every program. Other programs of the machine may have them, too. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'The collector that traces are sent to. It switches them on.',
    example: 'http://127.0.0.1:4318',
    isForeign: true,
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    meaning: 'The same with the whole path, for traces alone.',
    example: 'http://127.0.0.1:4318/v1/traces',
    isForeign: true,
  },
  OTEL_TRACES_EXPORTER: {
    meaning: 'Switches traces on without an address, or off.',
    allowed: '`otlp` or `none`',
    isForeign: true,
  },
  OTEL_SDK_DISABLED: { meaning: 'Switches traces off.', allowed: '`true`', isForeign: true },
  OTEL_TRACES_SAMPLER: {
    meaning: 'Which requests are traced.',
    allowed: '`always_on`, `always_off`, `traceidratio`, also after `parentbased_`',
    standard: 'parentbased_always_on',
    isForeign: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: 'The share of requests that `traceidratio` traces.',
    allowed: '0 to 1',
    standard: 1,
    isForeign: true,
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    meaning: 'For how many milliseconds spans are collected before they are sent.',
    standard: 5000,
    isForeign: true,
  },
} as const satisfies SettingGroup['settings'];
