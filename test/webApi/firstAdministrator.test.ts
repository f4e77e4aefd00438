import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { adminPassword, makeBrowser, signInFirst } from '../support/web.js';

const api = withApi();

test('the first administrator is made with the token of the terminal, once', async () => {
  const visitor = makeBrowser(api);
  expect(await visitor.get('/start')).toMatchObject({ status: 200, body: { needsAdministrator: true } });
  const wrong = { token: 'falsch', name: 'Eve', password: adminPassword };
  expect(await visitor.post('/first-administrator', wrong)).toMatchObject({
    status: 409,
    body: { error: 'refused', message: 'setup-refused' },
  });
  const admin = await signInFirst(api);
  expect(await visitor.get('/start')).toMatchObject({ body: { needsAdministrator: false } });
  expect(await api.app.firstStartUrl()).toBeUndefined();
  expect(await admin.get('/session')).toMatchObject({
    status: 200,
    body: { name: 'Anna Berger', role: 'admin', language: 'de', mustChangePassword: false },
  });
});
