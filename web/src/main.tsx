import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { initialLanguage, LanguageProvider } from './i18n/language.tsx';
import { loadSharedTexts } from './i18n/loadTexts.ts';
import { Notifier } from './notify/notifier.tsx';
import { queryClient } from './api/queryClient.ts';
import { BrandedTheme } from './app/BrandedTheme.tsx';
import { router } from './app/router.tsx';
import { styleNonce } from './api/serviceMeta.ts';
import './styles.css';

// What locks scrolling behind dialogs adds a style element of its own, and looks here for its nonce.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

const language = initialLanguage();
const initial = { language, texts: await loadSharedTexts(language) };
const root = document.querySelector('#root');
if (!root) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <BrandedTheme>
        <LanguageProvider initial={initial}>
          <Notifier />
          <RouterProvider router={router} />
        </LanguageProvider>
      </BrandedTheme>
    </QueryClientProvider>
  </StrictMode>,
);
