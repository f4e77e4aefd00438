import { HttpProblem, type OperationHandlers, type WebhookBody } from 'voucherd/contract';
import type { components, operations, webhooks } from './contract.js';
import type { Database } from './database.js';
import type { Member, Members } from './members.js';
import type { Photos } from './photos.js';

type Thing = components['schemas']['Thing'];
type Category = components['schemas']['Category'];

export interface Services {
  readonly database: Database;
  readonly members: Members;
  readonly photos: Photos;
  /** Sends it to whoever wants to know. */
  announce(thing: WebhookBody<webhooks['thingOffered']>): void;
}

interface ThingRow {
  readonly id: number;
  readonly owner: string;
  /** What its owner said of it, as JSON. */
  readonly body: string;
}

interface LoanRow {
  readonly id: number;
  readonly thing_id: number;
  readonly borrower: string;
  readonly first_day: string;
  readonly last_day: string;
}

const toThing = ({ id, owner, body }: ThingRow) => ({ ...(JSON.parse(body) as Thing), id, owner });

const toLoan = ({ id, thing_id: thingId, borrower, first_day: from, last_day: to }: LoanRow) => ({
  id,
  thingId,
  borrower,
  from,
  to,
});

const findThing = async ({ database }: Services, id: number): Promise<ThingRow> => {
  const row = await database.get<ThingRow>('select * from things where id = ?', id);
  if (!row) throw new HttpProblem('not_found');
  return row;
};

/** Only its owner may change a thing. */
const findOwnThing = async (services: Services, id: number, { name }: Member): Promise<ThingRow> => {
  const row = await findThing(services, id);
  if (row.owner !== name) throw new HttpProblem('forbidden', { message: `It belongs to ${row.owner}` });
  return row;
};

export const handlers: OperationHandlers<operations, Member, Services> = {
  createMember: async ({ input, reply }, { members }) => {
    const { name, password } = input.body;
    const member = await members.add(name, password);
    if (!member) throw new HttpProblem('name_taken', { name });
    return reply(201, { ...member });
  },

  createToken: async ({ input, reply }, { members }) => {
    const token = await members.signIn(input.body.username, input.body.password);
    if (token === undefined) throw new HttpProblem('wrong_password');
    return reply(200, { access_token: token, token_type: 'bearer' }, { 'Cache-Control': 'no-store' });
  },

  getMe: ({ principal, reply }) => reply(200, { ...principal }),

  listThings: async ({ input, principal, reply }, { database }) => {
    const { kind = null, owner = null } = input.query.filter ?? {};
    const rows = await database.all<ThingRow>(
      `select * from things where (?1 is null or body ->> 'kind' = ?1) and (?2 is null or owner = ?2)
        order by id desc limit 200`,
      ...[kind, owner],
    );
    const things = rows.map(toThing);
    // Nobody has to sign in, so there may be no principal.
    if ((principal as Member | undefined) === undefined) for (const thing of things) delete thing.note;
    return reply(200, { things });
  },

  createThing: async ({ input, principal, reply }, { database, announce }) => {
    const sql = 'insert into things (owner, body) values (?, ?)';
    const { id } = await database.run(sql, principal.name, JSON.stringify(input.body));
    const thing = { ...input.body, id, owner: principal.name };
    announce(thing);
    return reply(201, thing, { Location: `/v1/things/${String(id)}` });
  },

  getThing: async ({ input, reply }, services) =>
    reply(200, toThing(await findThing(services, input.path.thingId))),

  changeThing: async ({ input, principal, reply }, services) => {
    const row = await findOwnThing(services, input.path.thingId, principal);
    const changed = { ...(JSON.parse(row.body) as Thing), ...input.body };
    // RFC 7396: null removes.
    if (changed.note === null) delete changed.note;
    const body = JSON.stringify(changed);
    await services.database.run('update things set body = ? where id = ?', body, row.id);
    return reply(200, toThing({ ...row, body }));
  },

  removeThing: async ({ input, principal, reply }, services) => {
    const { id } = await findOwnThing(services, input.path.thingId, principal);
    await services.database.run('delete from things where id = ?', id);
    await services.photos.remove(id);
    return reply(204);
  },

  getPhoto: async ({ input, reply }, { photos }) => {
    const photo = await photos.find(input.path.thingId);
    if (!photo) throw new HttpProblem('not_found');
    return reply(200, photo.stream(), { 'Content-Type': photo.mediaType });
  },

  hasPhoto: async ({ input, reply }, { photos }) => {
    if (!(await photos.find(input.path.thingId))) throw new HttpProblem('not_found');
    return reply(200);
  },

  setPhoto: async ({ input, principal, reply }, services) => {
    const { id } = await findOwnThing(services, input.path.thingId, principal);
    const { photo, title } = input.body;
    const mediaType = photo.mediaType === 'image/png' ? 'image/png' : 'image/jpeg';
    await services.photos.store(id, mediaType, photo.stream());
    return reply(200, { mediaType, size: photo.size, ...(title !== undefined && { title }) });
  },

  borrowThing: async ({ input, principal, reply }, services) => {
    const { id: thingId } = await findThing(services, input.path.thingId);
    const { from, to } = input.body;
    if (to < from) throw new HttpProblem('invalid_request', { message: 'to is before from' });
    // One statement, so that of two who ask at once one gets it.
    const { id, changes } = await services.database.run(
      `insert into loans (thing_id, borrower, first_day, last_day) select ?1, ?2, ?3, ?4 where not exists
        (select 1 from loans where thing_id = ?1 and first_day <= ?4 and last_day >= ?3)`,
      ...[thingId, principal.name, from, to],
    );
    if (changes === 0) {
      const sql = 'select * from loans where thing_id = ? and first_day <= ? and last_day >= ?';
      const lent = await services.database.get<LoanRow>(sql, thingId, to, from);
      throw new HttpProblem('already_lent', { until: lent?.last_day ?? to });
    }
    return reply(201, { id, thingId, borrower: principal.name, from, to });
  },

  listLoans: async ({ input, reply }, services) => {
    const { thingId, from, to } = input.path;
    await findThing(services, thingId);
    const rows = await services.database.all<LoanRow>(
      'select * from loans where thing_id = ? and first_day <= ? and last_day >= ? order by first_day',
      ...[thingId, to, from],
    );
    if (input.accept !== 'text/csv') return reply(200, { loans: rows.map(toLoan) });
    const lines = rows.map(({ id, borrower, first_day, last_day }) => [
      ...[id, `"${borrower.replaceAll('"', '""')}"`, first_day, last_day],
    ]);
    return reply(200, Buffer.from(['id,borrower,from,to', ...lines, ''].join('\n')));
  },

  remindBorrower: async ({ input, principal, reply }, services) => {
    const { id } = await findThing(services, input.path.thingId);
    const sql = 'insert into reminders (thing_id, asked_by, callback_url) values (?, ?, ?)';
    await services.database.run(sql, id, principal.name, input.body?.callbackUrl ?? null);
    return reply(202);
  },

  getCategories: async ({ reply }, { database }) => {
    const row = await database.get<{ tree: string }>('select tree from categories');
    return reply(200, row ? (JSON.parse(row.tree) as Category) : { name: 'All' });
  },

  setCategories: async ({ input, reply }, { database }) => {
    const sql =
      'insert into categories (id, tree) values (1, ?) on conflict (id) do update set tree = excluded.tree';
    await database.run(sql, JSON.stringify(input.body));
    return reply(200, input.body);
  },
};
