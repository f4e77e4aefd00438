import { lazyDialog } from '../lib/lazyPart.ts';

/** For pages: dialogs are not part of their first load. */
export const LazyConfirmDialog = lazyDialog(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog);
