import { expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { readEvents } from '../support/eventReader.js';
import { deflateZeros, redJpeg, redPng, toChunk, toHeader, toPng } from '../support/pictures.js';
import { makeBrowser, signInNew } from '../support/web.js';

type Branding = WebSchema<'Branding'>;

const own: Branding = { title: null, colour: null, palette: null, logo: null, icon: null };
const api = withAdmin({ env: { BASE_PATH: '/wifi' } });
const nobody = () => makeBrowser(api);
const set = (values: object) => api.admin.put('/branding', { title: null, colour: null, ...values });
const reset = () => set({ logo: null, icon: null });
const document = async (): Promise<string> => (await api.get('/')).text;
const png = redPng(60, 20).toString('base64');
const jpeg = redJpeg.toString('base64');
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

test('title, colour, logo and icon are in the document of every page from the next request on, and gone after a reset', async () => {
  expect((await nobody().get('/branding')).body).toEqual(own);
  expect(await document()).toContain('<title>voucherd</title>');
  expect(await document()).toContain('href="/wifi/docs/logo.svg"');
  const saved = await set({ title: ' Hotel am See ', colour: '#7A1F3D', logo: png, icon: jpeg });
  expect(saved).toMatchObject({
    status: 200,
    body: { title: 'Hotel am See', colour: '#7a1f3d', logo: { tone: 'opaque' } },
  });
  const { logo, icon } = saved.body as Branding;
  expect(await nobody().get('/branding')).toMatchObject({ status: 200, body: saved.body });
  for (const path of ['/', '/kiosk', '/guest/foyer', '/branding']) {
    const { text, headers } = await api.get(path);
    expect(text).toContain('<title>Hotel am See</title>');
    expect(text).toContain('&quot;colour&quot;:&quot;#7a1f3d&quot;');
    expect(text).toContain(`rel="icon" href="/wifi/web/branding/pictures/${icon ?? ''}"`);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(/script-src 'self';.* img-src 'self' data:/);
  }
  const reference = (await api.get('/docs')).text;
  expect(reference).toContain('<title>Hotel am See: API reference</title>');
  expect(reference).toContain(`rel="icon" href="/wifi/web/branding/pictures/${icon ?? ''}"`);
  expect(reference).toContain(
    `<img src="/wifi/web/branding/pictures/${logo?.version ?? ''}" alt="Hotel am See"`,
  );
  expect(reference).toMatch(
    /<style>:root \{ --accent: #[\da-f]{6} \} html\.dark-mode \{ --accent: #[\da-f]{6} \}</,
  );
  for (const [version, type] of [
    [logo?.version ?? '', 'image/png'],
    [icon ?? '', 'image/png'],
  ])
    expect(await nobody().get(`/branding/pictures/${String(version)}`)).toMatchObject({
      status: 200,
      headers: {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      },
    });
  expect((await api.admin.get('/audit?area=setting')).body).toMatchObject({
    entries: [
      {
        action: 'setting.branding',
        detail: { title: 'Hotel am See', colour: '#7a1f3d', logo: true, icon: true },
      },
    ],
  });
  // What is left out stays.
  expect((await set({ title: 'Seehotel' })).body).toMatchObject({
    title: 'Seehotel',
    colour: null,
    logo,
    icon,
  });
  expect((await reset()).body).toEqual(own);
  expect(await document()).toContain('<title>voucherd</title>');
  expect((await nobody().get(`/branding/pictures/${icon ?? ''}`)).status).toBe(404);
});

test('another picture has another address, and the same one the same', async () => {
  const versionOf = async (logo: string) => ((await set({ logo })).body as Branding).logo?.version;
  const first = await versionOf(png);
  expect(await versionOf(jpeg)).not.toBe(first);
  expect(await versionOf(png)).toBe(first);
  // Logo and icon may be the same picture.
  const both = (await set({ logo: jpeg, icon: jpeg })).body as Branding;
  for (const version of [both.logo?.version, both.icon])
    expect((await nobody().get(`/branding/pictures/${version ?? ''}`)).status).toBe(200);
  await reset();
});

test('a logo with transparent parts is known as light or dark, so that it is shown on a ground where it is seen', async () => {
  const { default: sharp } = await import('sharp');
  const toneOf = async (colour: string): Promise<unknown> => {
    const image = await sharp({
      create: { width: 90, height: 30, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .composite([
        {
          input: await sharp({ create: { width: 20, height: 20, channels: 3, background: colour } })
            .png()
            .toBuffer(),
          left: 5,
          top: 5,
        },
      ])
      .png()
      .toBuffer();
    return ((await set({ logo: image.toString('base64') })).body as Branding).logo?.tone;
  };
  expect(await toneOf('#ffffff')).toBe('light');
  expect(await toneOf('#202020')).toBe('dark');
  await reset();
});

test('open pages hear of a change', async () => {
  const staff = await signInNew(api, api.admin, { name: 'Berta', role: 'staff', siteIds: [] });
  const events = readEvents(await fetch(`${api.url}/web/events`, { headers: { Cookie: staff.cookie } }));
  await set({ title: 'Seehotel' });
  expect(await events.next()).toEqual({ event: 'changed', data: ['settings'] });
  await events.close();
  await reset();
});

const bomb = toPng(toHeader(20_000, 20_000, { colorType: 6 }), toChunk('IDAT', deflateZeros(1_000_000)));

test('what can not be used is refused as a whole, and changes nothing', async () => {
  const refused: [object, number, string][] = [
    [{ title: 'x'.repeat(41) }, 400, 'name-invalid'],
    [{ title: 'x'.repeat(65_536) }, 400, 'name-invalid'],
    [{ title: 'a\u0007b' }, 400, 'name-invalid'],
    [{ title: 'a\nb' }, 400, 'name-invalid'],
    [{ title: 'a\u202eb' }, 400, 'name-invalid'],
    [{ title: '\u200b\u200d' }, 400, 'name-invalid'],
    [{ title: 7 }, 400, 'name-invalid'],
    [{ colour: 'red' }, 400, 'colour-invalid'],
    [{ colour: '#fff' }, 400, 'colour-invalid'],
    [{ colour: '#12345g' }, 400, 'colour-invalid'],
    [{ colour: '#123456;background:url(x)' }, 400, 'colour-invalid'],
    [{ logo: svg.toString('base64') }, 400, 'image-invalid'],
    [{ icon: svg.toString('base64') }, 400, 'image-invalid'],
    [{ logo: Buffer.from('GIF89a').toString('base64') }, 400, 'image-invalid'],
    [{ logo: 'not base64' }, 400, 'image-invalid'],
    [{ logo: '' }, 400, 'image-invalid'],
    [{ logo: redPng(60, 20).subarray(0, 60).toString('base64') }, 400, 'image-invalid'],
    [{ logo: bomb.toString('base64') }, 400, 'image-too-many-pixels'],
    [{ logo: redPng(10_001, 1).toString('base64') }, 400, 'image-side-too-long'],
    [{ logo: Buffer.alloc(262_145, redPng(1, 1)).toString('base64') }, 400, 'image-too-large'],
    [{ icon: 'A'.repeat(349_532) }, 400, 'image-invalid'],
    [{ logo: 'A'.repeat(800_000) }, 413, 'too-large'],
  ];
  for (const [values, status, message] of refused) {
    const answer = await set({ title: 'Neu', icon: png, ...values });
    expect([JSON.stringify(values).slice(0, 60), answer.status, answer.body]).toMatchObject([
      expect.any(String),
      status,
      { message },
    ]);
  }
  expect((await nobody().get('/branding')).body).toEqual(own);
  expect((await nobody().get('/branding/pictures/..%2f..%2fx')).status).toBe(400);
});

test('a title is text wherever the document has it', async () => {
  const titles = [
    '</title><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "%STYLE_NONCE% %BASE_PATH% %ICON% '&amp;",
    '$& $1 שלום 🏨',
  ];
  for (const title of titles) {
    expect((await set({ title })).status).toBe(200);
    const text = await document();
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img');
    const content = /<meta name="branding" content="([^"]*)"/.exec(text)?.[1] ?? '';
    const named = /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '';
    const unescape = (escaped: string): string =>
      escaped
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&#37;', '%')
        .replaceAll('&amp;', '&');
    expect((JSON.parse(unescape(content)) as Branding).title).toBe(title);
    expect(unescape(named)).toBe(title);
    const reference = (await api.get('/docs')).text;
    expect(reference).not.toContain('<script>alert');
    expect(reference).not.toContain('<img');
    expect(unescape(/<title>([^<]*): API reference<\/title>/.exec(reference)?.[1] ?? '')).toBe(title);
  }
  await reset();
});
