import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { askProvider } from '../src/club.js';
import { signIn, startLoans, type Loans } from './client.js';

let loans: Loans;
let outside: Server;
/** What was sent to the webhook. */
const announced: unknown[] = [];
let [anna, ben] = ['', ''];
before(async () => {
  // The webhook, and the OpenID provider of the club.
  outside = createServer((request, response) => {
    const answer = (body: object) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') answer({ userinfo_endpoint: `${url}/userinfo` });
    else if (request.url === '/userinfo') {
      if (request.headers.authorization === 'Bearer of-the-club') answer({ sub: '7', name: 'Clara' });
      else response.writeHead(401).end();
    } else
      void text(request).then((sent) => {
        announced.push(JSON.parse(sent));
        response.writeHead(204).end();
        outside.emit('announced');
      });
  }).listen(0, '127.0.0.1');
  await once(outside, 'listening');
  const url = `http://127.0.0.1:${String((outside.address() as AddressInfo).port)}`;
  loans = await startLoans({ webhookUrl: `${url}/hook`, clubUrl: url });
  [anna, ben] = [await loans.join('Anna'), await loans.join('Ben')];
});
after(async () => {
  await loans.stop();
  outside.close();
});

const momo = { kind: 'book', name: 'Momo', isbn: '9783522177504', note: 'Bring it back' };

const addThing = async (thing: object = momo): Promise<string> => {
  const { status, headers } = await loans.send('POST', '/things', { token: anna, body: thing });
  assert.equal(status, 201);
  return (headers.get('location') ?? '').replace('/v1', '');
};

const problem = async (sent: ReturnType<Loans['send']>): Promise<[number, string]> => {
  const { status, headers, body } = await sent;
  assert.equal(headers.get('content-type'), 'application/problem+json');
  return [status, (body as { detail: string }).detail];
};

test('a member is never shown its password, and a name is taken once', async () => {
  const me = await loans.send('GET', '/members/me', { token: anna });
  assert.deepEqual(me.body, { id: 1, name: 'Anna' });
  const again = { name: 'Anna', password: 'another password' };
  assert.deepEqual(await problem(loans.send('POST', '/members', { body: again })), [
    409,
    'Somebody else has the name Anna',
  ]);
  const wrong = await problem(loans.send('POST', '/token', { body: signIn('Anna', 'wrong') }));
  assert.deepEqual(wrong, [401, 'Name or password are wrong']);
  const incomplete = await problem(loans.send('POST', '/token', { body: new URLSearchParams() }));
  assert.deepEqual(incomplete, [400, 'grant_type is missing or wrong']);
  const asJson = { username: 'Anna', password: 'correct horse battery' };
  assert.equal((await loans.send('POST', '/token', { body: asJson })).status, 415);
});

test('what a thing needs depends on its kind', async () => {
  const add = (body: object) => loans.send('POST', '/things', { token: anna, body });
  assert.equal((await add({ kind: 'tool', name: 'Drill', watts: 700 })).status, 201);
  assert.deepEqual(await problem(add({ kind: 'tool', name: 'Drill' })), [400, 'watts is missing or wrong']);
  assert.deepEqual(await problem(add({ ...momo, isbn: '1' })), [400, 'an ISBN has 13 digits']);
  assert.deepEqual(await problem(add({ ...momo, kind: 'car' })), [400, 'kind is missing or wrong']);
  assert.deepEqual(await problem(add({ ...momo, id: 7 })), [400, 'id is ours to say']);
});

test('everybody sees things, and members their notes', async () => {
  const path = await addThing();
  const first = async (token?: string) => {
    const { body } = await loans.send('GET', '/things', token === undefined ? {} : { token });
    return (body as { things: object[] }).things[0];
  };
  const id = Number(path.split('/').at(-1));
  const shown = { kind: 'book', name: 'Momo', isbn: '9783522177504', id, owner: 'Anna' };
  assert.deepEqual(await first(), shown);
  assert.deepEqual(await first(anna), { ...shown, note: 'Bring it back' });
  assert.equal((await loans.send('GET', '/things', { token: 'wrong' })).status, 401);
});

test('a change keeps what it does not name, and null removes', async () => {
  const path = await addThing();
  const change = (body: object, token = anna) =>
    loans.send('PATCH', path, { token, body, type: 'application/merge-patch+json' });
  const { body } = await change({ note: null });
  assert.equal((body as { name: string }).name, 'Momo');
  assert.equal('note' in (body as object), false);
  assert.deepEqual(await problem(change({ name: 'Mine' }, ben)), [403, 'It belongs to Anna']);
});

test('a thing is lent once at a time, and its loans are listed by days', async () => {
  const path = await addThing();
  const borrow = (from: string, to: string, token = ben) =>
    loans.send('POST', `${path}/loans`, { token, body: { from, to } });
  assert.equal((await borrow('2026-12-01', '2026-12-24')).status, 201);
  assert.deepEqual(await problem(borrow('2026-12-24', '2026-12-31')), [409, 'It is lent until 2026-12-24']);
  assert.deepEqual(await problem(borrow('2026-12-31', '2026-12-30')), [400, 'to is before from']);
  assert.deepEqual(await problem(borrow('2026-02-30', '2026-12-30')), [400, 'a day looks like 2026-12-24']);
  const both = await Promise.all([
    borrow('2027-01-01', '2027-01-02'),
    borrow('2027-01-02', '2027-01-03', anna),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  const { body } = await loans.send('GET', `${path}/loans/2026-12-20..2026-12-31`, { token: anna });
  const [loan, ...others] = (body as { loans: { borrower: string; from: string }[] }).loans;
  assert.deepEqual([loan?.borrower, loan?.from, others.length], ['Ben', '2026-12-01', 0]);
  const csv = await loans.send('GET', `${path}/loans/2026-12-20..2026-12-31`, {
    token: anna,
    accept: 'text/csv',
  });
  assert.match(String(csv.body), /^id,borrower,from,to\n\d+,"Ben",2026-12-01,2026-12-24\n$/);
  const image = loans.send('GET', `${path}/loans/2026-12-20..2026-12-31`, {
    token: anna,
    accept: 'image/png',
  });
  assert.deepEqual(await problem(image), [406, 'Ask for one of application/json, text/csv']);
});

test('a borrower is reminded later, which is told to the address that was given', async () => {
  const path = `${await addThing()}/reminder`;
  const remind = (body?: object) =>
    loans.send('POST', path, { token: anna, ...(body !== undefined && { body }) });
  assert.equal((await remind()).status, 202);
  assert.equal((await remind({ callbackUrl: 'https://anna.example/reminded' })).status, 202);
  const wrong = await problem(remind({ callbackUrl: 'nowhere' }));
  assert.deepEqual(wrong, [400, 'callbackUrl is missing or wrong']);
});

test('a thing that is offered is announced', async () => {
  const name = 'The one that is announced';
  const isThere = () => announced.find((thing) => (thing as { name: string }).name === name);
  const path = await addThing({ ...momo, name });
  while (!isThere()) await once(outside, 'announced');
  const { body } = await loans.send('GET', path, { token: anna });
  assert.deepEqual(isThere(), body);
});

test('the club orders the categories with the tokens of its own provider', async () => {
  const order = (token: string) => loans.send('PUT', '/categories', { token, body: { name: 'All' } });
  assert.equal((await order('of-the-club')).status, 200);
  assert.equal((await order(anna)).status, 200);
  assert.equal((await order('of-nobody')).status, 401);
  assert.equal((await loans.send('GET', '/members/me', { token: 'of-the-club' })).status, 401);
});

test('categories are a tree of any depth', async () => {
  const tree = { name: 'All', below: [{ name: 'Tools', below: [{ name: 'Drills' }] }, { name: 'Books' }] };
  assert.deepEqual((await loans.send('PUT', '/categories', { token: anna, body: tree })).body, tree);
  assert.deepEqual((await loans.send('GET', '/categories')).body, tree);
  const wrong = { name: 'All', below: [{ name: 'Tools', below: [{ name: '' }] }] };
  assert.deepEqual(await problem(loans.send('PUT', '/categories', { token: anna, body: wrong })), [
    400,
    'a name has 1 to 100 characters',
  ]);
});

test('everything is still there after a restart', async () => {
  const path = await addThing();
  const { body: before } = await loans.send('GET', path, { token: anna });
  await loans.restart();
  assert.deepEqual((await loans.send('GET', path, { token: anna })).body, before);
  assert.equal((await loans.send('DELETE', path, { token: anna })).status, 204);
  assert.deepEqual(await problem(loans.send('GET', path, { token: anna })), [404, 'There is no such thing']);
});

test('a thing has a photo, which its owner uploads', async () => {
  const path = `${await addThing()}/photo`;
  const send = (photo: Blob | string, token = anna) => {
    const body = new FormData();
    body.set('photo', photo);
    body.set('title', 'Grün');
    return loans.send('PUT', path, { token, body });
  };
  const png = new Blob(['PNG'], { type: 'image/png' });
  const stored = await send(png);
  assert.deepEqual([stored.status, stored.body], [200, { mediaType: 'image/png', size: 3, title: 'Grün' }]);
  const refused = [400, 'a photo is a PNG or JPEG of at most 1 MB'];
  assert.deepEqual(await problem(send(new Blob(['x'], { type: 'text/plain' }))), refused);
  assert.deepEqual(await problem(send(new Blob(['x'.repeat(1_000_001)], { type: 'image/png' }))), refused);
  assert.equal((await send(png, ben)).status, 403);
  const shown = await loans.send('GET', path);
  assert.deepEqual([shown.body, shown.headers.get('content-type')], ['PNG', 'image/png']);
  await send(new Blob(['JPEG'], { type: 'image/jpeg' }));
  assert.deepEqual((await loans.send('GET', path)).body, 'JPEG');
  const asked = await loans.send('HEAD', path);
  assert.deepEqual([asked.status, asked.body], [200, '']);
  assert.equal((await loans.send('HEAD', `${await addThing()}/photo`)).status, 404);
});

test('of two photos that come at once, one stays', async () => {
  const path = `${await addThing()}/photo`;
  const upload = (type: string) => {
    const body = new FormData();
    body.set('photo', new Blob([type], { type }));
    return loans.send('PUT', path, { token: anna, body });
  };
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([upload('image/png'), upload('image/jpeg')]);
    const { body, headers } = await loans.send('GET', path);
    assert.equal(body, headers.get('content-type'));
  }
});

test('nobody waits for an OpenID provider that is silent', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const asked = askProvider(`http://127.0.0.1:${String(port)}`, 'x', 50);
  await assert.rejects(asked, { name: 'TimeoutError' });
  silent.closeAllConnections();
  silent.close();
});

test('things are filtered by their fields', async () => {
  await addThing();
  const kinds = async (filter: string): Promise<string[]> => {
    const { body } = await loans.send('GET', `/things?${filter}`);
    return (body as { things: { kind: string }[] }).things.map(({ kind }) => kind);
  };
  const books = await kinds('filter[kind]=book&filter[owner]=Anna');
  assert.ok(books.length > 0 && books.every((kind) => kind === 'book'));
  assert.deepEqual(await kinds('filter[owner]=Nobody'), []);
  const wrong = problem(loans.send('GET', '/things?filter[kind]=car'));
  assert.deepEqual(await wrong, [400, 'filter[kind] is missing or wrong']);
});
