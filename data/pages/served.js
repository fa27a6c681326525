// The script of served pages: shared ticks, completion of names, search while typing, and offline use.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const base = document.body.dataset.base;
  const storage = {
    get(key) {
      try {
        return JSON.parse(localStorage.getItem("dominion-setup " + key));
      } catch {
        return null; // There is no storage, or its content is not ours.
      }
    },
    set(key, value) {
      try {
        localStorage.setItem("dominion-setup " + key, JSON.stringify(value));
      } catch {
        // Without storage, the value is lost with the page.
      }
    },
  };

  if ("serviceWorker" in navigator) {
    const worker = navigator.serviceWorker;
    worker.addEventListener("controllerchange", () => {
      const files = all("script[src], link[rel=stylesheet]").map((file) => file.src || file.href);
      for (const address of [location.href, ...files]) fetch(address).catch(() => {}); // These were loaded before it was active.
    });
    worker.register(base + "/offline.js").catch(() => {});
  }

  // Ticks shared by all phones. Each change has an id, so that it can be sent again until it is confirmed.

  function share() {
    const { table, token, successor, newest } = document.body.dataset;
    const address = base + "/ticks/" + table;
    const boxes = all("[data-tick]");
    const says = document.querySelector("[data-offline]");
    const shown = () => new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.tick));
    let waiting = storage.get("waiting " + table) || [];
    let believed = shown();
    let version = "";
    let timer = 0;
    let busy = false;

    const id = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const keep = () => storage.set("waiting " + table, waiting);

    function noticed() {
      const now = shown();
      const changed = boxes.map((box) => box.dataset.tick).filter((item) => now.has(item) !== believed.has(item));
      if (!changed.length) return;
      for (const item of changed) waiting.push([id(), item, now.has(item)]);
      believed = now;
      keep();
      exchange();
    }
    function show(ticked) {
      believed = new Set(ticked);
      for (const [, item, on] of waiting) on ? believed.add(item) : believed.delete(item);
      const other = boxes.filter((box) => box.checked !== believed.has(box.dataset.tick));
      for (const box of other) box.checked = !box.checked;
      if (other.length) other[0].dispatchEvent(new Event("change", { bubbles: true })); // This updates the progress.
    }
    async function ask() {
      const sent = waiting.slice(0, 40);
      const asked = sent.length
        ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token, ticks: sent }) }
        : { headers: version ? { "If-None-Match": version } : {} };
      const answer = await fetch(address + (newest === undefined ? "" : "?newest=1"), { ...asked, cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (answer.status === 304) return;
      if (!answer.ok) throw answer;
      const state = await answer.json();
      const done = new Set(sent.map(([id]) => id));
      waiting = waiting.filter(([id]) => !done.has(id));
      keep();
      if (!sent.length) follow(state.successor);
      version = sent.length ? "" : answer.headers.get("ETag");
      for (const voted of all("[data-voted]")) {
        voted.textContent = voted.dataset.voted.replace("{count}", state.votes || 0).replace("{number}", voted.dataset.players);
      }
      show(state.ticked);
    }
    function follow(query) {
      if (newest !== undefined) {
        const shown = document.querySelector("form.checklist [name=table]").value;
        if (query && query !== shown) location.reload();
      } else if (query && query !== successor) {
        const code = new URLSearchParams(location.search).get("lang");
        location.replace(base + "/table?" + query + (code ? "&lang=" + code : ""));
      }
    }
    async function refusal(answer) {
      const { error } = await answer.json().catch(() => ({})); // Some errors are pages, without a text for this line.
      return says.dataset.refused.replace("{why}", error || answer.status);
    }
    async function exchange() {
      if (busy) return;
      busy = true;
      clearTimeout(timer);
      let pause = 1000;
      try {
        do await ask();
        while (waiting.length);
        says.textContent = "";
      } catch (problem) {
        says.textContent = problem instanceof Response ? await refusal(problem) : says.dataset.offline;
        pause = 3000;
      }
      busy = false;
      if (!document.hidden) timer = setTimeout(exchange, pause);
    }
    const wake = () => !document.hidden && exchange();
    document.addEventListener("change", ({ isTrusted }) => isTrusted && noticed());
    document.addEventListener("ticks", noticed);
    document.addEventListener("visibilitychange", wake);
    for (const moment of ["online", "pageshow", "focus"]) addEventListener(moment, wake);
    exchange();
  }
  if (document.body.dataset.table) share();

  // A ballot: as many cards as a player may veto

  for (const form of all("form[data-most]")) {
    const cards = all("[name=card]", form);
    form.addEventListener("change", () => {
      const isFull = cards.filter((card) => card.checked).length >= form.dataset.most;
      for (const card of cards) card.disabled = isFull && !card.checked;
    });
  }

  // Sharing the URL

  for (const field of all("[data-address]")) field.addEventListener("focus", () => field.select());
  for (const button of all("[data-share]")) {
    button.addEventListener("click", async () => {
      const field = button.closest("section").querySelector("[data-address]");
      try {
        if (navigator.share) await navigator.share({ title: document.title, url: field.value });
        else {
          await navigator.clipboard.writeText(field.value);
          button.textContent = button.dataset.copied;
        }
      } catch (problem) {
        if (problem.name === "AbortError") return; // The user has closed the system's dialog.
        field.focus(); // This selects the text.
        button.textContent = document.execCommand("copy") ? button.dataset.copied : button.dataset.selected;
      }
    });
  }

  // Folded sections, which stay as they are when the user comes back to a page

  const sections = all("main details");
  const folded = history.state && history.state.folded;
  if (folded && folded.length === sections.length) sections.forEach((each, index) => (each.open = folded[index]));
  addEventListener("pagehide", () => history.replaceState({ folded: sections.map((each) => each.open) }, ""));
  for (const button of all("[data-back]")) {
    button.hidden = history.length < 2;
    button.addEventListener("click", () => history.back());
  }

  // Cards that are never to be used again: slug -> name, remembered on this device for each game

  const getBans = (game) => storage.get("bans " + game) || {};
  const setBan = (game, slug, name) => {
    const { [slug]: _, ...others } = getBans(game);
    storage.set("bans " + game, name ? { ...others, [slug]: name } : others);
  };
  for (const button of all("[data-ban]")) {
    const { ban, name, banned } = button.dataset;
    const game = button.dataset.game || document.body.dataset.game;
    const say = () => {
      button.textContent = banned;
      button.disabled = true;
    };
    if (getBans(game)[ban]) say();
    button.addEventListener("click", () => {
      setBan(game, ban, name);
      say();
      banInLinks();
    });
  }
  function banInLinks() {
    for (const link of all("a[data-deal]")) {
      const address = new URL(link.href);
      const without = address.searchParams.getAll("without").join(",").split(",");
      for (const slug of Object.keys(getBans(document.body.dataset.game))) {
        if (!without.includes(slug)) address.searchParams.append("without", slug);
      }
      link.href = address.href;
    }
  }
  banInLinks();

  // The deal form: it remembers boxes, players and wishes, starts from saved boxes, and has a checkbox for all boxes

  const WISHES = ["with", "without", "want", "weight", "like", "of", "fresh"];
  for (const form of all("form[data-keep]")) {
    const game = form.dataset.keep;
    const key = "deal " + game;
    const sets = all("[name=sets]", form);
    const whole = form.querySelector("[data-all]");
    const newest = all("[data-newest]", form);
    const remembered = storage.get(key);
    const ticked = () => sets.filter((box) => box.checked).map((box) => box.value);
    const own = storage.get("boxes " + game) || (remembered && remembered.sets);
    const params = new URLSearchParams(location.search);
    const wishes = WISHES.map((name) => form.elements[name]).filter(Boolean);
    if (own && !params.has("sets") && !params.has("kingdom")) {
      for (const box of sets) box.checked = own.includes(box.value);
    }
    if (remembered && !params.has("players")) {
      for (const choice of all("[name=players]", form)) choice.checked = choice.value === remembered.players;
    }
    if (remembered && remembered.wishes && !WISHES.concat("sets", "kingdom").some((name) => params.has(name))) {
      for (const field of wishes) field.value = remembered.wishes[field.name] || "";
    }
    if (whole && whole.checked) for (const box of newest) box.checked = true;
    for (const section of all("details", form)) {
      const fields = all("input, select, textarea", section);
      if (fields.some((field) => (field.type === "checkbox" ? field.checked : field.value))) section.open = true;
    }
    showBans(form, game);
    form.addEventListener("change", ({ target }) => {
      if (target === whole) for (const box of newest) box.checked = whole.checked;
      else if (whole && target.name === "sets") whole.checked = newest.every((box) => box.checked);
      if (target.dataset.banned) setBan(game, target.value, target.checked ? target.dataset.banned : "");
      const players = form.querySelector("[name=players]:checked");
      storage.set(key, {
        sets: ticked(),
        players: players ? players.value : "",
        wishes: Object.fromEntries(wishes.map((field) => [field.name, field.value])),
      });
    });
    for (const button of all("[data-save-boxes]", form)) {
      const label = button.textContent;
      button.addEventListener("click", () => {
        storage.set("boxes " + game, ticked());
        button.textContent = button.dataset.saved;
      });
      form.addEventListener("change", () => (button.textContent = label));
    }
    form.querySelector("[data-forget]").addEventListener("click", (event) => {
      event.preventDefault();
      storage.set(key, null);
      storage.set("boxes " + game, null);
      storage.set("bans " + game, null);
      location.assign(form.dataset.fresh);
    });
  }
  function showBans(form, game) {
    const bans = Object.entries(getBans(game));
    const place = form.querySelector("[data-bans]");
    const field = form.elements.without;
    if (!place || !bans.length) return;
    // What is ticked here need not be in the text field too.
    const others = field.value.split(",").filter((word) => word.trim() && !(word.trim() in getBans(game)));
    field.value = others.join(",");
    place.hidden = false;
    for (const [slug, name] of bans) {
      const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "without", value: slug, checked: true });
      box.dataset.banned = name;
      const label = document.createElement("label");
      label.append(box, " " + name);
      place.querySelector("div").append(label);
    }
  }

  // The page of the newest table, before there is one

  if (document.body.dataset.noTable !== undefined) {
    setInterval(async () => {
      const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
      if (answer && answer.ok && !(await answer.text()).includes("data-no-table")) location.reload();
    }, 3000);
  }

  // Completion of names

  function soon(milliseconds, act) {
    let timer = 0;
    return (...given) => {
      clearTimeout(timer);
      timer = setTimeout(act, milliseconds, ...given);
    };
  }
  all("input[data-names]").forEach((field, number) => {
    const list = document.createElement("datalist");
    list.id = "names-" + number;
    field.after(list);
    field.setAttribute("list", list.id);
    field.addEventListener(
      "input",
      soon(150, async () => {
        const asked = new URLSearchParams({ of: field.dataset.names, begun: field.value });
        const answer = await fetch(base + "/names?" + asked).catch(() => null);
        if (!answer || !answer.ok) return;
        list.replaceChildren(...(await answer.json()).map((name) => Object.assign(document.createElement("option"), { value: name })));
      }),
    );
  });

  // Rule search while typing

  let asking = new AbortController();
  const lookUp = soon(150, async (form) => {
    asking.abort();
    asking = new AbortController();
    const asked = new URLSearchParams(new FormData(form));
    const page = form.action.split("?")[0]; // The query string is in the fields.
    const address = page + "?" + asked;
    asked.set("part", "1");
    try {
      const answer = await fetch(page + "?" + asked, { signal: asking.signal });
      if (!answer.ok) return;
      document.getElementById("results").innerHTML = await answer.text(); // The server has escaped it.
      history.replaceState(null, "", address);
    } catch {
      // The user has typed on, or the server does not answer.
    }
  });
  for (const field of all("[data-look-up]")) field.addEventListener("input", () => lookUp(field.form));
})();
