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
    name: 'a profile for all sites stays one for all',
    file: 'src/sites/siteBoundTable.ts',
    from: '.update(columns.toRow(toRow(values)));',
    to: `.update(columns.toRow(toRow(values)));
        await transaction(table).where({ id }).whereNotIn('id', transaction(sitesTable).select(idColumn)).update({ for_all_sites: true });`,
    operations: ['createProfile', 'updateProfile', 'listProfiles'],
  },
];
