// Keeps the pages that have been seen, and shows them when the server does not answer.
"use strict";
const SHELF = "dominion-setup";
const MOST = 120; // pages and files
const PATIENCE = 4000; // milliseconds to wait where something is kept

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const kept = event.request.method === "GET" && address.origin === location.origin;
  if (kept && !/\/(ticks|names)(\/|$)/.test(address.pathname)) event.respondWith(answer(event.request));
});

async function answer(request) {
  const shelf = await caches.open(SHELF);
  const kept = await shelf.match(request);
  const asked = fetch(request).then(async (found) => {
    if (found.ok && found.type === "basic") await keep(shelf, request, found.clone());
    return found;
  });
  const late = kept && new Promise((resolve) => setTimeout(resolve, PATIENCE, kept.clone()));
  try {
    return await Promise.race([asked, ...(late ? [late] : [])]);
  } catch (problem) {
    if (kept) return kept;
    throw problem;
  }
}

async function keep(shelf, request, found) {
  await shelf.delete(request); // so that it is the newest
  await shelf.put(request, found);
  const keys = await shelf.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST))) await shelf.delete(key);
}
