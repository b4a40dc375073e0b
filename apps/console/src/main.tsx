import './app.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';

// The scroll lock of dialogs and menus writes a style tag; the content security policy wants the nonce on it.
const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
if (meta) setNonce(meta.nonce || meta.content);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
