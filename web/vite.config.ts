import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const folder = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: folder,
  plugins: [react()],
  // The service knows nothing of Vite: these are its own addresses.
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/web', '/docs', '/readyz'].map((path) => [path, process.env.SERVICE_URL ?? 'http://localhost:3000']),
    ),
  },
  build: {
    // A folder beside the last build, which stays until this one has succeeded.
    outDir: `${folder}../dist.web`,
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the pages allows no data: scripts, and fonts and images are few.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
});
