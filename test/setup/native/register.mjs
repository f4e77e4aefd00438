// Preloaded by test workers: lets Node import TypeScript, and `@jest/globals` outside of jest's own runner.
import { register } from 'node:module';

process.setSourceMapsEnabled(true);
register('./hooks.mjs', import.meta.url);
