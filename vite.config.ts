import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Cross-origin isolation: without these two headers WASM has one thread only. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  // Relative addresses: the built page works from any static host and sub-path.
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: { target: 'esnext', chunkSizeWarningLimit: 1024, assetsInlineLimit: 0 },
  optimizeDeps: { exclude: ['onnxruntime-web', '@mujoco/mujoco'] },
  server: { headers: isolation },
  preview: { headers: isolation, port: 4173 },
});
