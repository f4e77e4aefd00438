import type { Credentials } from '../../../src/controllers/registry.js';
import type { UnifiConsole, Variant } from '../../../simulators/unifi/console.js';

/** One way in which the service talks to a console. */
export interface Adapter {
  readonly title: string;
  readonly kind: string;
  readonly variant: Variant;
  url(console: UnifiConsole): string;
  credentials(console: UnifiConsole): Credentials;
}

const classic = {
  kind: 'unifi-classic',
  url: ({ url }: UnifiConsole) => url,
  credentials: ({ username, password }: UnifiConsole) => ({ username, password }),
} as const;

export const adapters: readonly Adapter[] = [
  {
    title: 'unifi, local',
    kind: 'unifi',
    variant: 'unifi-os',
    url: ({ url }) => url,
    credentials: ({ apiKey }) => ({ apiKey }),
  },
  {
    title: 'unifi, cloud',
    kind: 'unifi',
    variant: 'unifi-os',
    url: ({ cloudUrl }) => cloudUrl,
    credentials: ({ cloudApiKey }) => ({ apiKey: cloudApiKey }),
  },
  { title: 'unifi-classic, self-hosted', variant: 'self-hosted', ...classic },
  { title: 'unifi-classic, UniFi OS', variant: 'unifi-os', ...classic },
];
