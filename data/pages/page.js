// What a page can do besides being read: keep ticks, search rules, switch the language, copy the command.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const articles = all("main > article");
  document.documentElement.classList.add("scripted");

  // The language, and whatever the address points at

  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const shown = (target && target.closest("article")) || articles[0];
    if (!shown) return;
    for (const article of articles) article.hidden = article !== shown;
    document.documentElement.lang = shown.lang;
    document.title = shown.dataset.title;
    for (const link of all("nav a[href^='#']")) {
      if (link.hash === "#" + shown.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (target && target !== shown) {
      for (let up = target.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
      target.scrollIntoView();
    }
  }
  addEventListener("hashchange", follow);
  for (const link of all("nav a[href^='#']")) {
    link.addEventListener("click", (event) => {
      event.preventDefault(); // stay where one reads
      history.replaceState(null, "", link.hash);
      follow();
    });
  }
  follow();

  // Ticks: the same thing in every language, kept in this browser

  const key = "dominion-setup ticks " + document.body.dataset.table;
  const boxes = all("[data-tick]");
  function kept() {
    try {
      return new Set(JSON.parse(localStorage.getItem(key) || "[]"));
    } catch {
      return new Set(); // no storage here, or not ours
    }
  }
  function keep() {
    try {
      const ticked = boxes.filter((box) => box.checked).map((box) => box.dataset.tick);
      if (ticked.length) localStorage.setItem(key, JSON.stringify([...new Set(ticked)]));
      else localStorage.removeItem(key);
    } catch {
      // then they last as long as the page
    }
  }
  function tick(ticked) {
    for (const box of boxes) box.checked = ticked.has(box.dataset.tick);
    count();
  }
  function count() {
    const fill = (words, done, of) => words.replace("{done}", done).replace("{count}", of);
    const ticked = (within) => all("[data-tick]:checked", within).length;
    for (const section of all(".work")) {
      const of = all("[data-tick]", section).length;
      section.querySelector(".done").textContent = ticked(section) + "/" + of;
      section.classList.toggle("complete", ticked(section) === of);
    }
    for (const article of articles) {
      const of = all("[data-tick]", article).length;
      for (const words of all("[data-done]", article)) {
        words.textContent = fill(words.dataset.done, ticked(article), of);
      }
      for (const bar of all("progress", article)) {
        bar.max = of || 1;
        bar.value = ticked(article);
      }
    }
  }
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-tick]")) {
      for (const box of boxes) if (box.dataset.tick === target.dataset.tick) box.checked = target.checked;
      count();
      keep();
    } else if (target.matches(".rules-too")) {
      for (const choice of all(".rules-too")) choice.checked = target.checked;
    }
  });
  addEventListener("storage", (event) => event.key === key && tick(kept())); // another window of the same table
  tick(kept());

  // Buttons

  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if ("print" in button.dataset) {
      print();
    } else if ("clear" in button.dataset) {
      ask(button.parentElement, true);
    } else if ("clearNot" in button.dataset) {
      ask(button.closest(".clear"), false);
    } else if ("clearNow" in button.dataset) {
      cleared = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.tick));
      change(new Set());
      ask(button.closest(".clear"), false);
      for (const undo of all("[data-unclear]")) undo.hidden = !cleared.size;
    } else if ("unclear" in button.dataset) {
      change(cleared);
      for (const undo of all("[data-unclear]")) undo.hidden = true;
    } else if ("copy" in button.dataset) {
      await copy(button);
    }
  });
  let cleared = new Set(); // what was ticked before everything was cleared
  function change(ticked) {
    tick(ticked);
    keep();
    document.dispatchEvent(new Event("ticks")); // for the script of served pages
  }
  function ask(place, asking) {
    place.querySelector("[data-clear]").hidden = asking;
    place.querySelector("[role=group]").hidden = !asking;
    place.querySelector(asking ? "[data-clear-not]" : "[data-clear]").focus();
  }
  async function copy(button) {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = button.dataset.copied;
    } catch {
      // Without https, browsers have no clipboard of this kind.
      getSelection().selectAllChildren(button.closest("section").querySelector("code"));
      button.textContent = document.execCommand("copy") ? button.dataset.copied : button.dataset.selected;
    }
  }

  // Rules that have all the words

  const fold = (text) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
      .replace(/[\s\p{P}\p{Cf}]+/gu, " ");
  function search(field) {
    const rules = field.closest(".rules");
    const words = fold(field.value).trim().split(" ");
    let found = 0;
    for (const rule of all("section > [id]", rules)) {
      const id = rule.id.slice(rule.closest("article").lang.length); // the same in every language
      const same = articles.map((article) => document.getElementById(article.lang + id));
      const text = fold(same.map((each) => (each.dataset.names || "") + " " + each.textContent).join(" "));
      rule.hidden = !words.every((word) => text.includes(word));
      found += rule.hidden ? 0 : 1;
    }
    for (const list of all("section", rules)) list.hidden = !list.querySelector("[id]:not([hidden])");
    const says = rules.querySelector("[data-found]");
    says.textContent = field.value.trim() ? says.dataset.found.replace("{count}", found) : "";
  }
  document.addEventListener("input", ({ target }) => target.matches("[data-search]") && search(target));
})();
