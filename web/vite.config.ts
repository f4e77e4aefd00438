import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Only for developing: what is saved is seen at once. scripts/tasks/buildWeb.mjs makes what is served. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  // The service knows nothing of Vite: these are its own addresses.
  server: {
    proxy: Object.fromEntries(
      ['/web/', '/docs', '/readyz'].map((path) => [path, process.env.SERVICE_URL ?? 'http://localhost:3000']),
    ),
  },
});
