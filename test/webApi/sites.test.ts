import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { signInNew, type Browser } from '../support/web.js';
import {
  redJpeg,
  deflateZeros,
  redPng,
  sizeOfPng,
  toChunk,
  toHeader,
  toPixels,
  toPng,
  withJpegSize,
} from '../support/pictures.js';

const api = withAdmin({ perTest: 'service' });

interface Site {
  id: number;
  name: string;
  isActive: boolean;
  controllerName: string;
  hasLogo: boolean;
}
const list = async (browser: Browser): Promise<Site[]> =>
  ((await browser.get('/sites')).body as { sites: Site[] }).sites;
const pathOf = (id: number): string => `/sites/${String(id)}`;

test('administrators see all sites, sorted by name', async () => {
  const id = await api.addSite({ name: 'Haus 10' });
  await api.addSite({ name: 'Haus 9', active: false });
  const sites = await list(api.admin);
  expect(sites.map(({ name }) => name)).toEqual(['Haus 9', 'Haus 10']);
  expect(sites[1]).toEqual({
    id,
    name: 'Haus 10',
    isActive: true,
    controllerId: expect.any(Number),
    controllerName: expect.stringContaining('controller'),
    controllerSite: null,
    ssid: null,
    wifiKind: 'open',
    isWifiHidden: false,
    hasWifiPassword: false,
    slipText: null,
    slipPaper: null,
    printAtOnce: 'off',
    printerId: null,
    hasLogo: false,
    defaultProfileId: null,
  });
});

test('a site has its paper, and prints at once on a printer that is for it', async () => {
  const [id, other] = [await api.addSite(), await api.addSite({ name: 'Nebenhaus' })];
  const printer = { name: 'Theke', host: '192.168.1.50', port: 9100, paper: '80mm', siteIds: [id] };
  const { id: printerId } = (await api.admin.post('/printers', printer)).body as { id: number };
  const printing = { slipPaper: 'avery-l7160', printAtOnce: 'printer', printerId };
  expect(await api.admin.patch(pathOf(id), printing)).toMatchObject({ status: 200, body: printing });
  expect((await api.admin.get('/desk')).body).toMatchObject({ sites: [printing, { printAtOnce: 'off' }] });
  const refused = { status: 409, body: { message: 'unknown-printer' } };
  expect(await api.admin.patch(pathOf(other), printing)).toMatchObject(refused);
  expect(await api.admin.patch(pathOf(other), { printAtOnce: 'printer' })).toMatchObject(refused);
  expect(await api.admin.patch(pathOf(id), { printerId: null })).toMatchObject(refused);
  expect(await api.admin.patch(pathOf(id), { printerId: 999_999 })).toMatchObject(refused);
  expect(await api.admin.patch(pathOf(id), { printAtOnce: 'printer' })).toMatchObject({ body: printing });
  const unused = { status: 409, body: { message: 'printer-not-used' } };
  expect(await api.admin.patch(pathOf(other), { printerId })).toMatchObject(unused);
  expect(await api.admin.patch(pathOf(id), { printAtOnce: 'browser', printerId })).toMatchObject(unused);
  expect((await api.admin.patch(pathOf(id), { slipPaper: 'a5' })).status).toBe(400);
  expect(await api.admin.patch(pathOf(id), { printAtOnce: 'browser', slipPaper: null })).toMatchObject({
    body: { slipPaper: null, printAtOnce: 'browser', printerId: null },
  });
  // A printer that is removed prints nothing.
  await api.admin.patch(pathOf(id), printing);
  await api.admin.delete(`/printers/${String(printerId)}`);
  expect(await api.admin.patch(pathOf(id), { name: 'Haupthaus' })).toMatchObject({
    body: { name: 'Haupthaus', printAtOnce: 'off', printerId: null },
  });
});

test('staff see the active ones among their sites, and nothing of controllers', async () => {
  const own = await api.addSite({ name: 'A' });
  const inactive = await api.addSite({ name: 'B', active: false });
  await api.addSite({ name: 'C' });
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own, inactive] });
  expect(await list(staff)).toMatchObject([{ id: own, controllerName: '', controllerSite: null }]);
});

test('a site is changed as far as something is given, and the API and the audit log tell', async () => {
  const key = await api.addKey();
  const id = await api.addSite();
  const slipText = 'Willkommen!\r\nViel Spaß.';
  const changed = await api.admin.patch(pathOf(id), { name: ' Turm ', ssid: 'Gäste', slipText });
  const expected = { name: 'Turm', isActive: true, ssid: 'Gäste', slipText: 'Willkommen!\nViel Spaß.' };
  expect(changed).toMatchObject({ status: 200, body: expected });
  expect((await api.get('/sites.php', { key })).body).toMatchObject({ sites: [{ id, name: 'Turm' }] });
  expect(await api.admin.patch(pathOf(id), { isActive: false, ssid: '', slipText: null })).toMatchObject({
    status: 200,
    body: { name: 'Turm', isActive: false, ssid: null, slipText: null },
  });
  expect((await api.get('/sites.php', { key })).body).toEqual({ sites: [] });
  expect((await api.admin.get('/audit?area=site')).body).toMatchObject({
    entries: [
      { action: 'site.change', detail: { active: false, ssid: null, slipText: false } },
      {
        action: 'site.change',
        actorName: 'Anna Berger',
        subjectId: String(id),
        subjectName: 'Turm',
        detail: { name: 'Turm', ssid: 'Gäste', slipText: true },
      },
    ],
  });
});

test('what is not valid is refused, with everything else that is given', async () => {
  const cases: [string, object, number, string][] = [
    ['an empty name', { name: ' ' }, 400, 'name-invalid'],
    ['a name with a line break', { name: 'a\nb' }, 400, 'name-invalid'],
    ['a network of 33 bytes', { ssid: 'ä'.repeat(17) }, 400, 'ssid-invalid'],
    ['a network with a control character', { ssid: 'a\u0001' }, 400, 'ssid-invalid'],
    ['a slip text of 1001 characters', { slipText: 'x'.repeat(1001) }, 400, 'slip-text-invalid'],
    ['a slip text with a control character', { slipText: 'a\u001b[31m' }, 400, 'slip-text-invalid'],
    ['a profile that does not exist', { defaultProfileId: 999 }, 409, 'unknown-profile'],
    ['a body of 64 KiB', { slipText: 'x'.repeat(65_536) }, 413, 'too-large'],
  ];
  const id = await api.addSite();
  for (const [name, fields, status, message] of cases) {
    const answer = await api.admin.patch(pathOf(id), { isActive: false, ...fields });
    expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
    expect(await list(api.admin)).toMatchObject([
      { name: 'Hauptgebäude', isActive: true, defaultProfileId: null },
    ]);
  }
});

test('script and formulas come back as text', async () => {
  const id = await api.addSite();
  const fields = { name: '=1+1<script>', ssid: '"><img src=x onerror=a>', slipText: '<b>@SUM(1)</b>' };
  expect((await api.admin.patch(pathOf(id), fields)).body).toMatchObject(fields);
});

test('the default profile of a site has to be for that site', async () => {
  const [own, other] = [await api.addSite({ name: 'A' }), await api.addSite({ name: 'B' })];
  const profile = { name: 'Tag', maxUses: 1, expireMinutes: 60, siteIds: [own] };
  const { id } = (await api.admin.post('/profiles', profile)).body as { id: number };
  expect((await api.admin.patch(pathOf(own), { defaultProfileId: id })).status).toBe(200);
  expect(await api.admin.patch(pathOf(other), { defaultProfileId: id })).toMatchObject({
    status: 409,
    body: { message: 'unknown-profile' },
  });
  expect((await api.admin.patch(pathOf(own), { defaultProfileId: null })).body).toMatchObject({
    defaultProfileId: null,
  });
});

test('a site of a controller that was removed can not be activated', async () => {
  const id = await api.addSite({ active: false });
  const { controllers, sites } = api.tables;
  const site = (await sites.all()).find((known) => known.id === id);
  await controllers.remove(site?.controllerId ?? 0, 1);
  expect(await api.admin.patch(pathOf(id), { isActive: true })).toMatchObject({
    status: 409,
    body: { message: 'controller-removed' },
  });
});

const png = redPng(60, 20);
const setLogo = (admin: Browser, id: number, image: Buffer | string) =>
  admin.put(`${pathOf(id)}/logo`, { image: typeof image === 'string' ? image : image.toString('base64') });
const storedLogo = async (id: number): Promise<Buffer> => {
  const logo = await api.tables.siteLogos.find(id);
  return logo?.image ?? Buffer.alloc(0);
};

test.each([
  ['image/png', png],
  ['image/jpeg', redJpeg],
])('a logo of type %s is stored, sent as nothing but a picture, and removed', async (type, image) => {
  const id = await api.addSite();
  expect((await setLogo(api.admin, id, image)).status).toBe(204);
  const got = await api.admin.get(`${pathOf(id)}/logo`);
  const stored = await storedLogo(id);
  expect(got).toMatchObject({ status: 200, text: stored.toString() });
  expect(got.headers).toMatchObject({
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect((await list(api.admin))[0]?.hasLogo).toBe(true);
  expect((await api.admin.delete(`${pathOf(id)}/logo`)).status).toBe(204);
  expect((await list(api.admin))[0]?.hasLogo).toBe(false);
  expect((await api.admin.get(`${pathOf(id)}/logo`)).status).toBe(404);
  expect((await api.admin.delete(`${pathOf(id)}/logo`)).status).toBe(404);
  expect((await api.admin.get('/audit?area=site')).body).toMatchObject({
    entries: [
      { action: 'site.logo', detail: { removed: true } },
      { action: 'site.logo', detail: { mediaType: type, bytes: stored.length } },
    ],
  });
});

const animation = [
  toChunk('acTL', Buffer.from('0000000200000000', 'hex')),
  toChunk('fcTL', Buffer.from('0000000000000014000000140000000000000000000100640000', 'hex')),
];
const tenMegabytes = deflateZeros(10_000_000);

test('of a PNG nothing but its pixels is stored, in the size of print', async () => {
  const cases: [string, Buffer, [number, number]][] = [
    ['1000 × 1000', redPng(1000, 1000), [400, 400]],
    ['2400 × 600', toPng(toHeader(2400, 600), toPixels(7200, 600)), [1200, 300]],
    ['an animation', toPng(toHeader(20, 20), ...animation, toPixels(60, 20)), [20, 20]],
    // Seven passes of rows: 88 bytes in all.
    ['an interlaced one', toPng(toHeader(4, 4, { isInterlaced: true }), toPixels(87, 1)), [4, 4]],
    ['16 bits', toPng(toHeader(20, 20, { depth: 16, colorType: 6 }), toPixels(160, 20)), [20, 20]],
    [
      'a palette',
      toPng(toHeader(20, 20, { colorType: 3 }), toChunk('PLTE', Buffer.from([1, 2, 3])), toPixels(20, 20)),
      [20, 20],
    ],
    [
      'a text of 10 MB',
      toPng(
        toHeader(20, 20),
        toChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), tenMegabytes])),
        toPixels(60, 20),
      ),
      [20, 20],
    ],
    ['pixels of 10 MB', toPng(toHeader(20, 20), toChunk('IDAT', tenMegabytes)), [20, 20]],
    ['a page after its end', Buffer.concat([png, Buffer.from('<script>')]), [60, 20]],
  ];
  const id = await api.addSite();
  for (const [name, image, size] of cases) {
    expect([name, (await setLogo(api.admin, id, image)).status]).toEqual([name, 204]);
    const stored = await storedLogo(id);
    expect([name, sizeOfPng(stored)]).toEqual([name, size]);
    const absent = ['acTL', 'zTXt', '<script>'].filter((part) => !stored.includes(part));
    // 8 bits, not interlaced.
    const got = { name, isSmall: stored.length < 5000, format: [stored[24], stored[28]], absent };
    expect(got).toEqual({ name, isSmall: true, format: [8, 0], absent: ['acTL', 'zTXt', '<script>'] });
  }
});

const flipped = Buffer.from(png);
flipped.writeUInt8(flipped.readUInt8(50) ^ 1, 50);

test('a logo that is none, or too large, is refused', async () => {
  const cases: [string, Buffer | string, string][] = [
    [
      'SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'image-invalid',
    ],
    ['half a signature', png.subarray(0, 7), 'image-invalid'],
    ['a signature alone', png.subarray(0, 8), 'image-invalid'],
    ['no base64', `${png.toString('base64').slice(0, -4)}<b>=`, 'image-invalid'],
    ['nothing', '', 'image-invalid'],
    ['256 KiB and a byte', Buffer.concat([png, Buffer.alloc(262_144 - png.length + 1)]), 'image-too-large'],
    ['two headers', toPng(toHeader(10, 10), toHeader(2500, 2000), toPixels(7500, 2000)), 'image-invalid'],
    ['5 megapixels', toPng(toHeader(2500, 2000), toPixels(7500, 2000)), 'image-too-many-pixels'],
    ['1 × 4,000,000 pixels', toPng(toHeader(1, 4_000_000), toPixels(3, 4_000_000)), 'image-side-too-long'],
    ['10,001 × 1 pixels', redPng(10_001, 1), 'image-side-too-long'],
    ['no width', toPng(toHeader(0, 20), toPixels(60, 20)), 'image-invalid'],
    ['a PNG that ends early', redPng(200, 200).subarray(0, 120), 'image-invalid'],
    ['too few rows', toPng(toHeader(200, 200), toPixels(600, 20)), 'image-invalid'],
    ['a flipped bit', flipped, 'image-invalid'],
    ['64 KiB of garbage', Buffer.concat([png.subarray(0, 8), randomBytes(65_536)]), 'image-invalid'],
    ['half a JPEG', redJpeg.subarray(0, redJpeg.length - 20), 'image-invalid'],
    ['a JPEG of garbage', Buffer.concat([redJpeg.subarray(0, 3), randomBytes(65_536)]), 'image-invalid'],
    ['a JPEG of 64 megapixels', withJpegSize(8000, 8000), 'image-too-many-pixels'],
  ];
  const id = await api.addSite();
  await setLogo(api.admin, id, redJpeg);
  const before = await storedLogo(id);
  for (const [name, image, message] of cases) {
    const answer = await setLogo(api.admin, id, image);
    expect({ name, ...answer }).toMatchObject({ name, status: 400, body: { message } });
    expect(await storedLogo(id)).toEqual(before);
  }
});

test('a logo may have 256 KiB', async () => {
  const id = await api.addSite();
  const largest = Buffer.concat([png, Buffer.alloc(262_144 - png.length)]);
  expect((await setLogo(api.admin, id, largest)).status).toBe(204);
  expect((await setLogo(api.admin, id, 'A'.repeat(400_000))).status).toBe(413);
});

test('staff see the logos of their sites; those of others are not found, as if there were none', async () => {
  const [own, other] = [await api.addSite({ name: 'A' }), await api.addSite({ name: 'B' })];
  for (const id of [own, other]) await setLogo(api.admin, id, png);
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own] });
  const status = async (id: number) => (await staff.get(`${pathOf(id)}/logo`)).status;
  expect([await status(own), await status(other), await status(999)]).toEqual([200, 404, 404]);
});
