import { makeLoans } from './service.js';

const { service, services } = await makeLoans({ dataDir: process.env['DATA_DIR'] ?? 'data' });
await service.run({ port: Number(process.env['PORT'] ?? 8080), host: process.env['HOST'] ?? '127.0.0.1' });
await services.database.close();
