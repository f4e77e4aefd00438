import { lazyDialog } from '../lib/lazyPart.ts';

/** For pages: dialogs are not part of their first load. */
export const LazyDiscardDialog = lazyDialog(async () => (await import('./DiscardDialog.tsx')).DiscardDialog);
