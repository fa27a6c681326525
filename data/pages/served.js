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
    const { table, token } = document.body.dataset;
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
      const answer = await fetch(address, { ...asked, cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (answer.status === 304) return;
      if (!answer.ok) throw answer;
      const state = await answer.json();
      const done = new Set(sent.map(([id]) => id));
      waiting = waiting.filter(([id]) => !done.has(id));
      keep();
      version = answer.headers.get("ETag");
      show(state.ticked);
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
    document.addEventListener("click", ({ target }) => target.closest("[data-clear]") && noticed());
    document.addEventListener("visibilitychange", wake);
    for (const moment of ["online", "pageshow", "focus"]) addEventListener(moment, wake);
    exchange();
  }
  if (document.body.dataset.table) share();

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
      } catch {
        field.focus(); // so that the user can copy it
      }
    });
  }

  // The deal form: remembered boxes and players, and a checkbox for all boxes

  for (const form of all("form[data-keep]")) {
    const key = "deal " + form.dataset.keep;
    const sets = all("[name=sets]", form);
    const whole = form.querySelector("[data-all]");
    const newest = all("[data-newest]", form);
    const kept = storage.get(key);
    const said = new URLSearchParams(location.search);
    if (kept && !said.has("sets")) for (const box of sets) box.checked = kept.sets.includes(box.value);
    if (kept && !said.has("players")) {
      for (const choice of all("[name=players]", form)) choice.checked = choice.value === kept.players;
    }
    if (whole && whole.checked) for (const box of newest) box.checked = true;
    form.addEventListener("change", ({ target }) => {
      if (target === whole) for (const box of newest) box.checked = whole.checked;
      else if (whole && target.name === "sets") whole.checked = newest.every((box) => box.checked);
      const players = form.querySelector("[name=players]:checked");
      storage.set(key, {
        sets: sets.filter((box) => box.checked).map((box) => box.value),
        players: players ? players.value : "",
      });
    });
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
