// A service worker that caches visited pages and shows them when the server does not answer.
"use strict";
const CACHE_NAME = "dominion-setup";
const MAX_ENTRIES = 120; // pages and files
const TIMEOUT = 4000; // milliseconds to wait for the server if the page is cached

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const kept = event.request.method === "GET" && address.origin === location.origin;
  if (kept && !/\/(ticks|names)(\/|$)/.test(address.pathname)) event.respondWith(answer(event.request));
});

async function answer(request) {
  const shelf = await caches.open(CACHE_NAME);
  const kept = await shelf.match(request);
  const asked = fetch(request).then(async (found) => {
    if (found.ok && found.type === "basic") await keep(shelf, request, found.clone());
    return found;
  });
  const late = kept && new Promise((resolve) => setTimeout(resolve, TIMEOUT, kept.clone()));
  try {
    return await Promise.race([asked, ...(late ? [late] : [])]);
  } catch (problem) {
    if (kept) return kept;
    throw problem;
  }
}

async function keep(shelf, request, found) {
  await shelf.delete(request); // Entries are in insertion order, so this makes it the newest one.
  await shelf.put(request, found);
  const keys = await shelf.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MAX_ENTRIES))) await shelf.delete(key);
}
