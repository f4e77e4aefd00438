import { newKey } from '../access/keys.js';
import { systemEffects } from '../effects.js';
import type { Service } from '../serve.js';
import type { Storage } from '../storage/storage.js';

const demo = 'voucherd demo';

/** Adds what a first try needs, and returns what to print. The key of an earlier demo is revoked. */
export const prepareDemo = async (
  { storage, url }: Pick<Service, 'storage' | 'url'>,
  basePath: string,
): Promise<string> => {
  const now = systemEffects.now();
  const { id: siteId, name: siteName } = await demoSite(storage, now);
  for (const key of await storage.apiKeys.all()) {
    if (key.name === demo && key.revokedAt === null) await storage.apiKeys.revoke(key.prefix, now);
  }
  const { key, prefix, hash } = newKey(systemEffects);
  await storage.apiKeys.add({
    name: demo,
    prefix,
    hash,
    scope: 'write',
    rateLimit: 60,
    createdAt: now,
    expiresAt: null,
  });
  const base = url + basePath;
  return `
voucherd is running, with a simulated controller and a fresh API key.

  Front page    ${url}/
  Description   ${base}/openapi.php
  Demo site     ${String(siteId)} (${siteName})
  API key       ${key}

Create a voucher:

  curl -H 'Authorization: Bearer ${key}' -d '{"site_id":${String(siteId)},"name":"Familie Berger"}' ${base}/vouchers.php

List the vouchers of the site:

  curl -H 'Authorization: Bearer ${key}' '${base}/vouchers.php?site_id=${String(siteId)}'

Stop with Ctrl-C. The key is replaced at the next demo start; vouchers stay.

`;
};

const demoSite = async (storage: Storage, now: number): Promise<{ id: number; name: string }> => {
  const controllers = await storage.controllers.all();
  const controller = controllers.find(({ name }) => name === demo);
  const controllerId =
    controller?.id ?? (await storage.controllers.add({ name: demo, kind: 'simulated', settings: {} }, now));
  const site = (await storage.sites.all()).find(
    (known) => known.controllerId === controllerId && known.active,
  );
  if (site) return site;
  const add = async (name: string): Promise<{ id: number; name: string }> => {
    const id = await storage.sites.add({ name, active: true, controllerId, controllerSite: null }, now);
    return { id, name };
  };
  const first = await add('Hauptgebäude');
  await add('Nebengebäude');
  return first;
};
