import { rm } from 'node:fs/promises';
import { beforeEach } from '@jest/globals';
import { aroundTests } from './fixture.js';
import {
  startService,
  type Answer,
  type KeyOptions,
  type RequestOptions,
  type SiteOptions,
  type StartOptions,
  type TestService,
} from './service.js';
import { signInFirst, type Browser } from './web.js';

/** A running service, with what nearly every test of the API needs. It may be used in hooks and tests only. */
export interface Api extends TestService {
  /** A key that may create vouchers. */
  readonly key: string;
  /** An active site on a simulated controller. */
  readonly siteId: number;
  /** The first administrator, signed in. */
  readonly admin: Browser;
  /** Orders a voucher, with the key and for the site. */
  createVoucher(fields?: object, options?: RequestOptions): Promise<Answer>;
  /** Stops the service and starts another on its data, as a new version or new settings would. */
  restart(changes?: StartOptions): Promise<void>;
  /** Asks for the vouchers of a site, with the key. */
  listVouchers(siteId?: number, options?: RequestOptions): Promise<Answer>;
}

export interface ApiOptions extends StartOptions {
  /**
   * What each test gets anew. `site`: a site of its own on the one service. `service`: everything, which takes longer;
   * for tests that stop or break the service, or that need to know all its records.
   */
  perTest?: 'site' | 'service';
  /** The key; `false` for none. */
  key?: KeyOptions | false;
  /** The site; `false` for none. */
  site?: SiteOptions | false;
  /** Adds the first administrator, under this name if one is given. */
  admin?: boolean | string;
  /** Returns options that were not known yet when the file was loaded. */
  beforeStart?(): StartOptions | Promise<StartOptions>;
  /** Runs before the service stops: a last look at what it recorded. */
  beforeStop?(): Promise<void> | void;
  /** Runs after the service has stopped, even if that failed: removes folders, consoles, contracts. */
  afterStop?(): Promise<void> | void;
}

/** What exists while the service runs. */
interface Running {
  service: TestService;
  key?: string;
  siteId?: number;
  admin?: Browser;
}

/**
 * One service for all tests of a file, or of the `describe` block it is called in, with a key and a site. It starts
 * before them and ends after them.
 */
export const withApi = (options: ApiOptions = {}): Api => {
  const {
    perTest,
    key = {},
    site = {},
    admin = false,
    beforeStart,
    beforeStop,
    afterStop,
    ...start
  } = options;
  let running: Running | undefined;
  let started: StartOptions = {};
  let removeData: (() => Promise<void>) | undefined;

  const begin = async (): Promise<void> => {
    started = { ...start, ...(await beforeStart?.()) };
    running = { service: await startService(started) };
    const { service } = running;
    if (key) running.key = await service.addKey(key);
    if (admin !== false) running.admin = await signInFirst(service, admin === true ? undefined : admin);
    if (site && perTest !== 'site') running.siteId = await service.addSite(site);
  };
  const end = async (): Promise<void> => {
    try {
      // Undefined when it did not start: that failure is the one to read.
      if (running) await stopAfter(running.service, beforeStop);
    } finally {
      running = undefined;
      await removeData?.();
      await afterStop?.();
    }
  };
  aroundTests(perTest === 'service' ? 'each' : 'all', begin, end);
  if (perTest === 'site') {
    beforeEach(async () => {
      const current = get();
      current.siteId = await current.service.addSite(site || {});
    });
  }

  const get = (): Running => {
    if (!running) throw new Error('withApi(): the service runs only in hooks and tests');
    return running;
  };
  const need = <Part extends 'key' | 'siteId' | 'admin'>(part: Part): NonNullable<Running[Part]> => {
    const value = get()[part];
    if (value === undefined) throw new Error(`withApi() was called without ${part}`);
    return value;
  };
  const api: Api = {
    get url() {
      return get().service.url;
    },
    get dataDir() {
      return get().service.dataDir;
    },
    get app() {
      return get().service.app;
    },
    get tables() {
      return get().service.tables;
    },
    get database() {
      return get().service.database;
    },
    get lines() {
      return get().service.lines;
    },
    get key() {
      return need('key');
    },
    get siteId() {
      return need('siteId');
    },
    get admin() {
      return need('admin');
    },
    createVoucher: (fields, given) =>
      api.post(
        '/vouchers.php',
        { site_id: running?.siteId, name: 'Familie Berger', ...fields },
        { key: need('key'), ...given },
      ),
    listVouchers: (siteId = need('siteId'), given = {}) =>
      api.get(`/vouchers.php?site_id=${siteId}`, { key: need('key'), ...given }),
    restart: async (changes) => {
      const current = get();
      const { dataDir } = current.service;
      await current.service.stop({ keepData: true });
      removeData = () => rm(dataDir, { recursive: true, force: true });
      current.service = await startService({ ...started, ...changes, dataDir });
    },
    addKey: (given) => get().service.addKey(given),
    addSite: (given) => get().service.addSite(given),
    request: (method, path, given) => get().service.request(method, path, given),
    get: (path, given) => get().service.get(path, given),
    post: (path, body, given) => get().service.post(path, body, given),
    stop: (given) => get().service.stop(given),
  };
  return api;
};

/** A service with an administrator who is signed in, for tests of the web UI; without a key and a site. */
export const withAdmin = (options: ApiOptions = {}): Api =>
  withApi({ admin: true, key: false, site: false, ...options });

const stopAfter = async (service: TestService, look: ApiOptions['beforeStop']): Promise<void> => {
  try {
    await look?.();
  } finally {
    await service.stop();
  }
};
