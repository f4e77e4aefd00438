// What the contract does not say of its operations, for `voucherd contract`.
// @ts-check

const password = 'correct horse battery';
/** The fields of the form of RFC 6749. */
const signIn = (username) => ({ grant_type: 'password', username, password });

let [members, days] = [0, 0];

/** A thing that the caller owns. */
const addThing = async ({ send }) => {
  const body = { kind: 'book', name: 'Momo', isbn: '9783522177504' };
  const added = await send({ method: 'POST', path: '/things', body });
  return { path: { thingId: added.body.id } };
};

/** A thing with a photo. */
const addPhoto = async ({ send }) => {
  const { path } = await addThing({ send });
  const photo =
    '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nPNG\r\n--b--\r\n';
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  await send({ method: 'PUT', path: `/things/${path.thingId}/photo`, headers, body: photo });
  return { path };
};

/** A day on which nothing is lent yet. */
const nextDay = () => new Date(Date.UTC(2030, 0, (days += 1))).toISOString().slice(0, 10);

/** @type {import('voucherd/tools/contract/scenarios').Scenarios} */
export default {
  createMember: {
    prepare: () => ({ body: { name: `Member ${(members += 1)} of ${Date.now()}`, password } }),
    noSequence: 'members stay',
    hasOtherRules: true,
    statuses: {
      409: {
        prepare: async ({ send }) => {
          const body = { name: `Taken ${Date.now()}`, password };
          await send({ method: 'POST', path: '/members', body });
          return { body };
        },
      },
    },
  },
  createToken: {
    prepare: async ({ send }) => {
      const name = `Token ${(members += 1)} of ${Date.now()}`;
      await send({ method: 'POST', path: '/members', body: { name, password } });
      return { body: signIn(name) };
    },
    noSequence: 'a token is no resource',
    hasOtherRules: true,
    statuses: { 401: { request: { body: signIn('Nobody') } } },
  },
  listThings: { statuses: { 401: { request: { headers: { Authorization: 'Bearer wrong' } } } } },
  getThing: { prepare: addThing },
  changeThing: { prepare: addThing },
  removeThing: { prepare: addThing },
  remindBorrower: { prepare: addThing },
  setPhoto: { prepare: addThing },
  getPhoto: { prepare: addPhoto },
  hasPhoto: { prepare: addPhoto },
  listLoans: {
    prepare: async (service) => {
      const { path } = await addThing(service);
      const [from, to] = [nextDay(), nextDay()];
      await service.send({ method: 'POST', path: `/things/${path.thingId}/loans`, body: { from, to } });
      return { path: { ...path, from, to } };
    },
    statuses: {
      404: { request: { path: { thingId: 9007199254740991, from: '2030-01-01', to: '2030-01-02' } } },
    },
  },
  borrowThing: {
    prepare: async (service) => ({
      ...(await addThing(service)),
      body: { from: nextDay(), to: '2031-12-31' },
    }),
    noSequence: 'loans stay',
    hasOtherRules: true,
    statuses: {
      409: {
        prepare: async (service) => {
          const { path } = await addThing(service);
          const body = { from: '2030-01-01', to: '2030-01-02' };
          await service.send({ method: 'POST', path: `/things/${path.thingId}/loans`, body });
          return { path, body };
        },
      },
    },
  },
};
