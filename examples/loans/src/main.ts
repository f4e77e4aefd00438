import { makeLoans } from './service.js';

const { DATA_DIR = 'data', PORT = '8080', HOST = '127.0.0.1', WEBHOOK_URL, CLUB_URL } = process.env;

const { service, services } = await makeLoans({
  dataDir: DATA_DIR,
  webhookUrl: WEBHOOK_URL,
  clubUrl: CLUB_URL,
});
await service.run({ port: Number(PORT), host: HOST });
await services.database.close();
