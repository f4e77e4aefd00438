/** The header of `/readyz` by which `doctor` recognises the service that uses the same database. */
export const databaseIdentityHeader = 'X-Voucherd-Database';
