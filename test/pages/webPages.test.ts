import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { pagePaths } from '../../src/pages/pagePaths.js';
import { makeWebPages } from '../../src/pages/webPages.js';
import { nodeSystem } from '../../src/lib/system.js';
import { withApi } from '../support/api.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const api = withApi({ env: { BASE_PATH: '/wifi' } });
const script = 'console.log("ü");';

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  await mkdir(join(folder.path, 'assets'));
  const document = '<meta name="style-nonce" content="%STYLE_NONCE%"><script src="/assets/a-1.js">';
  await writeFile(join(folder.path, 'index.html'), document);
  await writeFile(join(folder.path, 'assets/a-1.js'), script);
  await writeFile(join(folder.path, 'assets/a-1.js.gz'), gzipSync(script));
});

/** Serves the pages of a folder while something is asked. */
const withPages = async <T>(path: string, ask: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer(
    express().use(makeWebPages({ resolveBasePath: () => '', system: nodeSystem, folder: path }).router),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
};

const noKeepAlive = { connection: 'close' };

test.each([...pagePaths])('%s is the document of the pages, which is never cached', async (path) => {
  const { status, headers, text } = await api.get(path);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(text).toContain('<title>voucherd</title>');
});

test.each(['/nothing', '/keys/1', '/assets/nothing.js', '/assets/', '/assets/../index.html'])(
  'other paths stay 404: %s',
  async (path) => {
    const { status, body } = await api.get(path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: 'not_found' });
  },
);

test.each(['/nothing', '/keys/1', '/vouchers/list/all', '/%F0%9F%98%80'])(
  'a browser at an address without a page gets the document, with 404, and programs get JSON: %s',
  async (path) => {
    const browser = await api.get(path, {
      headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    });
    expect(browser).toMatchObject({
      status: 404,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
    expect(browser.text).toContain('<title>voucherd</title>');
    for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.5'])
      expect(await api.get(path, { headers: { accept } })).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
  },
);

test.each([
  ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
  ['ja, de-AT;q=0.5', 'de'],
  ['ja', 'en'],
  ['"><script>', 'en'],
  ['*', 'de'],
])('a browser that asks for %s gets a document in %s', async (wanted, language) => {
  const { text } = await api.get('/', { headers: { 'accept-language': wanted } });
  expect(/<html lang="([^"]*)"/.exec(text)?.[1]).toBe(language);
});

test('the document allows nothing from elsewhere and no script within it', async () => {
  const { headers, text } = await api.get('/');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-eval|https?:|\*|script-src[^;]*unsafe/);
  expect(text).not.toMatch(/<script(?![^>]*src=)|https?:\/\//);
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  expect(headers).not.toHaveProperty('x-powered-by');
});

test('style elements need the nonce of their response, which is another one each time', async () => {
  const nonces = new Set<string>();
  for (const { headers, text } of [await api.get('/'), await api.get('/')]) {
    const nonce = /'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
    expect(text).toContain(`content="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});

test('the document names the path that everything is below', async () => {
  expect((await api.get('/')).text).toContain('<meta name="base-path" content="/wifi" />');
});

test('what the document loads is there, compressed, and kept for good', async () => {
  const { text } = await api.get('/');
  const files = [...text.matchAll(/(?:src|href)="\/wifi(\/assets\/[^"]+)"/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const { status, headers } = await api.get(file, { headers: { 'accept-encoding': 'gzip' } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    });
  }
});

test('a file is sent as it is to those who can not decompress it', async () => {
  await withPages(folder.path, async (url) => {
    const plain = await fetch(`${url}/assets/a-1.js`, {
      headers: { ...noKeepAlive, 'accept-encoding': 'identity' },
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await plain.text()).toBe(script);
    const compressed = await fetch(`${url}/assets/a-1.js`, { headers: noKeepAlive });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(await compressed.text()).toBe(script);
    const hidden = await fetch(`${url}/assets/a-1.js.gz`, { headers: noKeepAlive });
    expect(hidden.status).toBe(404);
  });
});

test.each(['GET', 'HEAD'])('a file that was removed since the start is not found: %s', async (method) => {
  for (const name of ['gone-1.js', 'gone-1.js.gz', 'kept-1.js'])
    await writeFile(join(folder.path, 'assets', name), script);
  await withPages(folder.path, async (url) => {
    const statusOf = async (name: string, encoding: string): Promise<number> => {
      const headers = { ...noKeepAlive, 'accept-encoding': encoding };
      return (await fetch(`${url}/assets/${name}`, { method, headers })).status;
    };
    expect(await statusOf('kept-1.js', 'identity')).toBe(200);
    for (const name of ['gone-1.js', 'gone-1.js.gz', 'kept-1.js'])
      await rm(join(folder.path, 'assets', name));
    expect(await statusOf('gone-1.js', 'identity')).toBe(404);
    expect(await statusOf('gone-1.js', 'gzip')).toBe(404);
    // It was read before.
    expect(await statusOf('kept-1.js', 'identity')).toBe(200);
  });
});

test('where the pages are not built, they say how to build them', async () => {
  await withPages(join(folder.path, 'missing'), async (url) => {
    const answer = await fetch(`${url}/keys`, { headers: noKeepAlive });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
  });
});
