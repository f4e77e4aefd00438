import { beforeAll, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';

const api = withAdmin({ site: {} });
let lacking = 0;
beforeAll(async () => {
  lacking = await api.addSite({ name: 'Annexe', knobs: { lacks: ['rates', 'uses'] } });
});

test('the desk says which limits the controller of a site keeps, and nothing where it keeps all', async () => {
  const { sites } = (await api.admin.get('/desk')).body as WebSchema<'Desk'>;
  const rangesAt = (id: number) => sites.find((site) => site.id === id)?.limitRanges;
  const range = { from: 1, to: 1_000_000 };
  expect(rangesAt(api.siteId)).toBeNull();
  expect(rangesAt(lacking)).toEqual({
    ...{ expireMinutes: range, quotaMb: range },
    ...{ maxUses: null, down: null, up: null },
  });
});
