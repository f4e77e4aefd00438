import type { Controller, ControllerAdvice } from '../controller.js';
import { asText, type Fields } from '../parsing.js';
import type { RestApi } from './restApi.js';
import { allServers, type HotspotServers } from './servers.js';
import type { GuestStores, UserManagerState } from './stores.js';
import { asFlag } from './values.js';

interface ProbeOptions {
  readonly api: RestApi;
  readonly stores: GuestStores;
  readonly servers: HotspotServers;
}

const maxVersionLength = 40;

/** Looks at what the router has and what it lacks. Changes nothing. */
export const makeProbe =
  ({ api, stores, servers }: ProbeOptions): Controller['probe'] =>
  async (onStep) => {
    const answer = await api.read('/system/resource');
    onStep?.('connected');
    const resource = api.propertiesOf(answer);
    onStep?.('signed-in');
    const version = (asText(resource['version']) ?? 'unknown').slice(0, maxVersionLength);
    onStep?.('version', version);
    const hotspots = await servers.all(undefined);
    const { userManager } = await stores.get(undefined);
    const profiles = await api.print(
      '/ip/hotspot/profile',
      { properties: ['name', 'use-radius'] },
      undefined,
    );
    onStep?.('sites');
    const names = hotspots.flatMap((server) => asText(server['name']) ?? []);
    return {
      version,
      sites: [
        { id: allServers, name: 'every hotspot of the router' },
        ...names.map((id) => ({ id, name: id })),
      ],
      advice: findAdvice({ userManager, hotspots, profiles }),
    };
  };

interface Found {
  readonly userManager: UserManagerState;
  readonly hotspots: readonly Fields[];
  readonly profiles: readonly Fields[];
}

const radiusLines = [
  '/user-manager router add name=local address=127.0.0.1 shared-secret=SECRET',
  '/radius add service=hotspot address=127.0.0.1 secret=SECRET',
  '/ip hotspot profile set [find] use-radius=yes',
].join('\n');

const findAdvice = ({ userManager, hotspots, profiles }: Found): ControllerAdvice[] => {
  const inUse = new Set(hotspots.map(({ profile }) => profile));
  const asksRadius = profiles.some((profile) => inUse.has(profile['name']) && asFlag(profile['use-radius']));
  return [
    ...(userManager === 'on' && hotspots.length > 0 && !asksRadius
      ? [{ code: 'mikrotik-radius', values: {}, lines: radiusLines } as const]
      : []),
    ...(userManager === 'off'
      ? [
          {
            code: 'mikrotik-user-manager',
            values: {},
            lines: '/user-manager set enabled=yes use-profiles=yes',
          } as const,
        ]
      : []),
    ...(userManager !== 'on' && hotspots.length === 0
      ? [{ code: 'mikrotik-hotspot', values: {}, lines: '/ip hotspot setup' } as const]
      : []),
  ];
};
