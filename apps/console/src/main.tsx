import './app.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';

// The scroll lock of dialogs and menus inserts a style tag, which needs the nonce of the content security policy.
const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
if (meta) setNonce(meta.nonce || meta.content);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
