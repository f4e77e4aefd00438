import type { ServiceDefect } from './serviceDefect.js';

/** In single values and requests of the web UI. */
export const webDetailDefects: readonly ServiceDefect[] = [
  {
    name: 'the end of a time in the audit log is part of it',
    file: 'src/audit/auditTable.ts',
    from: `void found.where('at', '<', to)`,
    to: `void found.where('at', '<=', to)`,
    operations: ['createKey', 'listAudit', 'exportAudit'],
  },
  {
    name: 'an @ begins no formula in a file',
    file: 'src/lib/csv.ts',
    from: '=+\\-@＝',
    to: '=+\\-＝',
    operations: ['exportVouchers', 'exportSelectedVouchers', 'exportAudit'],
  },
  {
    name: 'a profile for all sites stays one for all',
    file: 'src/sites/siteBoundTable.ts',
    from: '.update(columns.toRow(toRow(values)));',
    to: `.update(columns.toRow(toRow(values)));
        await transaction(table).where({ id }).whereNotIn('id', transaction(sitesTable).select(idColumn)).update({ for_all_sites: true });`,
    operations: ['createProfile', 'updateProfile', 'listProfiles'],
  },
  {
    name: 'an order with an id in capital letters is not found',
    file: 'src/vouchers/deskOrders.ts',
    from: 'const order = await tables.orders.find(id.toLowerCase());',
    to: 'const order = await tables.orders.find(id);',
    operations: ['createOrder', 'getOrder', 'listOrders'],
  },
  {
    name: 'a limit that is taken away from a rule stays',
    file: 'src/orderLimits/orderLimitTable.ts',
    from: '.update(columns.toRow(values));',
    to: `.update(
            Object.fromEntries(Object.entries(columns.toRow(values)).filter(([, value]) => value !== null)),
          );`,
    operations: ['createOrderLimit', 'updateOrderLimit', 'listOrderLimits'],
  },
];
