import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { nodeFlags } from '../../scripts/tasks/program.mjs';
import { root } from '../support/built.js';
import { parseCommand, readDockerfile, textsOf } from '../support/dockerfile.js';

const stages = readDockerfile();
const final = stages.at(-1)!;
const all = stages.flatMap(({ instructions }) => instructions);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

// The numbers are those of hadolint's rules.
describe('the Dockerfile', () => {
  test('names a version of every image, and an LTS of Node (DL3006, DL3007)', () => {
    for (const { base } of stages) expect(base).toMatch(/^node:(?:24|22)-bookworm(?:-slim)?$/);
    expect(new Set(stages.map(({ base }) => base.split('-')[0])).size).toBe(1);
  });

  test('ends as a user without rights (DL3002)', () => {
    expect(textsOf(final, 'USER')).toEqual(['node']);
  });

  test('has absolute folders (DL3000, DL3045), and no cd (DL3003), sudo (DL3004) or pipe (DL4006)', () => {
    for (const text of stages.flatMap((stage) => textsOf(stage, 'WORKDIR'))) expect(text).toMatch(/^\//);
    for (const text of stages.flatMap((stage) => textsOf(stage, 'RUN')))
      expect(text).not.toMatch(/(?:^|&& |; )(?:cd|sudo) |\|/);
    for (const { instructions } of stages)
      for (const [index, { name, text }] of instructions.entries())
        if (name === 'COPY' && !text.split(/\s+/).at(-1)?.startsWith('/'))
          expect(instructions.slice(0, index).some((one) => one.name === 'WORKDIR')).toBe(true);
  });

  test('copies, and only from stages before (DL3020, DL3022)', () => {
    expect(all.filter(({ name }) => ['ADD', 'MAINTAINER', 'ONBUILD'].includes(name))).toEqual([]);
    const names = stages.map(({ name }) => name);
    for (const { options } of all.filter(({ name }) => name === 'COPY'))
      if (options['from'] !== undefined) expect(names).toContain(options['from']);
  });

  test('installs nothing by a name without a version (DL3008, DL3016)', () => {
    for (const { text } of all.filter(({ name }) => name === 'RUN')) {
      expect(text).not.toMatch(/\bapt(-get)?\b/);
      const [, packages] = /npm install ((?:\S+ )*?\S+)(?: &&|$)/.exec(text) ?? [];
      for (const word of packages?.split(' ').filter((one) => !one.startsWith('-')) ?? [])
        expect(word).toMatch(/^\//);
    }
  });

  test('has one command of each kind, without a shell (DL3012, DL3025, DL4003, DL4004)', () => {
    const [entry, command] = ['ENTRYPOINT', 'CMD'].map((name) => textsOf(final, name).map(parseCommand));
    expect(entry).toEqual([['node', ...nodeFlags, expect.stringMatching(/\/scripts\/voucherd\.mjs$/)]]);
    expect(command).toEqual([['serve']]);
    const checks = textsOf(final, 'HEALTHCHECK').map((text) => parseCommand(text.replace(/^CMD /, '')));
    expect(checks).toEqual([['node', expect.stringMatching(/\/scripts\/healthCheck\.mjs$/)]]);
    expect(textsOf(final, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  test('has no secret in its environment', () => {
    for (const { text } of all.filter(({ name }) => ['ENV', 'ARG'].includes(name)))
      expect(text).not.toMatch(/SECRET|PASSWORD|TOKEN|DATABASE_URL|SMTP_URL/);
  });

  test('copies what there is, and the build gets nothing else that is large or secret', () => {
    const sources = all
      .filter(({ name, options }) => name === 'COPY' && options['from'] === undefined)
      .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.git', '.env', '**/node_modules', 'dist', 'data', 'secrets'])
      expect(ignored).toContain(name);
  });
});

interface Service {
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly ports?: string[];
  readonly environment?: Record<string, string>;
  readonly secrets?: string[];
  readonly networks?: string[];
}

describe.each(['compose.yaml', 'compose.postgres.yaml'])('%s', (file) => {
  const { services, secrets = {} } = parse(read(file)) as {
    services: Record<string, Service>;
    secrets?: Record<string, unknown>;
  };

  test('runs the service with a read-only root and without capabilities, for this machine alone', () => {
    expect(services['voucherd']).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('bounds the memory of the service and the size of every log, and passes the commit', () => {
    expect(services['voucherd']).toMatchObject({
      mem_limit: '512m',
      build: { args: { COMMIT: '${COMMIT:-}' } },
    });
    for (const service of Object.values(services))
      expect(service).toMatchObject({ logging: { options: { 'max-size': '20m', 'max-file': '5' } } });
  });

  test('names every secret as a file', () => {
    for (const { environment = {}, secrets: used = [] } of Object.values(services)) {
      for (const name of used) expect(secrets).toHaveProperty(name);
      for (const name of Object.keys(environment))
        if (/SECRET|PASSWORD|TOKEN|_URL/.test(name) && name !== 'PUBLIC_URL') expect(name).toMatch(/_FILE$/);
    }
  });
});

const caddy = spawnSync('caddy', ['version']).status === 0;
if (!caddy) console.warn('caddy is not installed: the test of its configuration is skipped');
(caddy ? test : test.skip)('the configuration of the proxy is valid', () => {
  const args = ['adapt', '--config', 'deploy/docker/Caddyfile', '--adapter', 'caddyfile'];
  const { status, stdout } = spawnSync('caddy', args, { cwd: root, encoding: 'utf8' });
  expect(status).toBe(0);
  // In nanoseconds; the service keeps connections for 75 s.
  expect(stdout).toContain('"idle_timeout":60000000000');
  // Clients could name any prefix: the service trusts this proxy.
  expect(stdout).toContain('"delete":["X-Forwarded-Prefix"]');
});
