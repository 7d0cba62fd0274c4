import react from '@vitejs/plugin-react';
import { createLogger, defaultClientConditions, defineConfig } from 'vite';

/** Cross-origin isolation: without these two headers WASM has one thread only. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const logger = createLogger();
const { warn } = logger;
// MuJoCo's file asks for a module of Node where it runs in Node; in the page it never does.
logger.warn = (message, options) => {
  if (!/"module" has been externalized.*mujoco/s.test(message)) warn(message, options);
};

export default defineConfig({
  customLogger: logger,
  // Relative addresses: the built page works from any static host and sub-path.
  base: './',
  plugins: [react()],
  // The runtime without its glue inside: the glue is a file of its own (workers/inference/ort.ts), so that
  // its threads can load it, and it would be fetched twice.
  resolve: { conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions] },
  worker: { format: 'es' },
  build: {
    target: 'esnext',
    chunkSizeWarningLimit: 1024,
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { index: 'index.html', isolation: 'workers/isolation.worker.ts' },
      output: {
        // A service worker has one address for ever, beside the page that it serves.
        entryFileNames: ({ name }) => (name === 'isolation' ? 'isolation.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  optimizeDeps: { exclude: ['onnxruntime-web', '@mujoco/mujoco'] },
  server: { headers: isolation },
  preview: { headers: isolation, port: 4173 },
});
