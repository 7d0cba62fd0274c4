/**
 * A service worker for hosts that cannot send the two isolation headers, without which WASM has one thread: it adds
 * them to the page and to the scripts of its workers. It keeps nothing, and whatever else is fetched passes by it.
 */
declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', () => {
  void self.skipWaiting();
});
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const own = new URL(request.url).origin === self.location.origin;
  if (own && (request.mode === 'navigate' || request.destination === 'worker')) {
    event.respondWith(fetch(request).then(isolated));
  }
});

function isolated(response: Response): Response {
  // A redirect is followed by the browser, and comes here again.
  if (response.type === 'opaqueredirect') return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

export {};
