import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeInBrowser } from '../support/browser.js';
import { findFreePort } from '../setup/freePort.mjs';
import { openFollowing } from '../support/pages.js';
import { ask, caddy, nginx, setups, startProxy } from '../support/reverseProxy.js';
import { startService, type TestService } from '../support/service.js';
import { adminPassword } from '../support/web.js';

const programs = [nginx, caddy];
for (const { name, file } of programs)
  if (file === undefined)
    process.stderr.write(
      `Not run, because ${name} is not installed: the tests of its blocks in the documents.\n`,
    );

const cases = programs.flatMap((program) => setups.map((setup) => ({ name: program.name, program, setup })));
const isThere = ({ program }: (typeof cases)[number]): boolean => program.file !== undefined;

const define = ({ name, program, setup }: (typeof cases)[number]): void => {
  describeInBrowser(`behind ${name} as documented, with ${setup}`, (browser) => {
    const path = setup === 'a host of its own' ? '' : '/wifi';
    let service: TestService;
    let origin: string;
    let stopProxy: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      const port = await findFreePort();
      origin = `https://localhost:${String(port)}`;
      service = await startService({
        env: {
          TRUST_PROXY: '127.0.0.1',
          PUBLIC_URL: origin + path,
          ...(setup === 'a path that is kept' && { BASE_PATH: path }),
        },
      });
      stopProxy = await startProxy(program, setup, { service: new URL(service.url).port, proxy: port });
    });
    afterAll(async () => {
      await stopProxy?.();
      await service.stop();
    });

    test('the description names the address that the client used, with port and path', async () => {
      for (const headers of [{}, { 'x-forwarded-prefix': '/evil', 'x-forwarded-host': 'evil.example' }]) {
        const { status, text } = await ask(origin, 'GET', `${path}/openapi.php`, { headers });
        expect(status).toBe(200);
        expect(JSON.parse(text)).toMatchObject({ servers: [{ url: origin + path }] });
      }
    });

    test('a voucher is created and listed', async () => {
      const [key, site] = [await service.addKey(), await service.addSite()];
      const headers = { 'x-api-key': key };
      const body = { site_id: site, name: 'Familie Berger' };
      const created = await ask(origin, 'POST', `${path}/vouchers.php`, { headers, body });
      expect(created.status).toBe(201);
      const listed = await ask(origin, 'GET', `${path}/vouchers.php?site_id=${String(site)}`, { headers });
      const { code } = JSON.parse(created.text) as { code: string };
      expect(JSON.parse(listed.text)).toMatchObject({ vouchers: [{ voucher_code: code }] });
    });

    test('a browser that only sends its origin may sign in', async () => {
      const body = { login: 'Anna', password: 'wrong' };
      const statusFrom = async (sent: string): Promise<number> =>
        (await ask(origin, 'POST', `${path}/web/session`, { headers: { origin: sent }, body })).status;
      expect(await statusFrom(origin)).toBe(401);
      expect(await statusFrom(origin.replace(/\d+$/, '1'))).toBe(403);
    });

    test('metrics are not shown', async () => {
      expect((await ask(origin, 'GET', `${path}/metrics`)).status).toBe(404);
    });

    test('the first administrator signs in with a browser, over HTTP/2, and changes appear without a reload', async () => {
      const link = (await service.app.firstStartUrl()) ?? '';
      expect(link).toMatch(new RegExp(`^${origin}${path}/first-start#token=`));
      const { page, context } = await browser.open({ url: origin + path }, { language: 'en' });
      await page.goto(link);
      expect(await page.evaluate(`performance.getEntriesByType('navigation')[0].nextHopProtocol`)).toBe('h2');
      await page.getByLabel('Name').fill('Anna Berger');
      await page.locator('input[type=password]').fill(adminPassword);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      expect(page.url()).toBe(`${origin}${path}/overview`);
      const session = (await context.cookies()).find(({ name: called }) => called.endsWith('session'));
      expect(session).toMatchObject(
        path === ''
          ? { name: '__Host-session', path: '/', secure: true }
          : { name: '__Secure-session', path: '/wifi', secure: true },
      );
      await page.getByRole('link', { name: 'Sites', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
      await openFollowing(page, page.url());
      await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
      await service.addSite({ name: 'Gästehaus am See' });
      await page.getByText('Gästehaus am See').first().waitFor();
    });
  });
};

for (const one of cases) {
  if (isThere(one)) define(one);
  else
    describe.skip(`behind ${one.name} as documented, with ${one.setup}`, () =>
      test('is not run', () => undefined));
}
