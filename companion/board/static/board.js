// Shows what the board tells as it comes, and lets the clocks run in between. It sends nothing.
"use strict";
(() => {
  const live = document.getElementById("live");
  const spoken = document.getElementById("spoken"); // for whoever hears the page
  const silence = 40000; // milliseconds after which the way to the board is taken for lost
  let ahead = 0; // of the board's clock before ours, in seconds
  let heard = performance.now();
  let source = null;
  let pause = 0;

  const setTime = (now) => { ahead = now - performance.now() / 1000; };
  const two = (number) => String(number).padStart(2, "0");

  const shown = (seconds) => {
    const whole = Math.floor(Math.max(0, seconds));
    const minutes = Math.floor(whole / 60);
    const hours = Math.floor(minutes / 60);
    return hours ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  };

  const tick = () => {
    for (const clock of live.querySelectorAll(".clock")) {
      const since = clock.dataset.since;
      const ran = since === undefined ? 0 : performance.now() / 1000 + ahead - Number(since);
      const used = Number(clock.dataset.used) + Math.max(0, ran);
      const text = shown(clock.dataset.limit === undefined ? used : Number(clock.dataset.limit) - used);
      if (clock.textContent !== text) clock.textContent = text;
    }
  };

  const show = (html) => {
    live.innerHTML = html; // written and escaped by the board
    const said = [...live.querySelectorAll(".notice, .said")].map((one) => one.textContent).join(" ");
    if (spoken.textContent !== said) spoken.textContent = said;
  };

  const open = () => {
    if (source) source.close();
    heard = performance.now();
    source = new EventSource(live.dataset.news);
    source.onmessage = (message) => {
      const told = JSON.parse(message.data);
      heard = performance.now();
      pause = 0;
      setTime(told.now);
      if (told.html !== undefined) show(told.html);
      tick();
    };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return; // it tries again by itself
      pause = Math.min(30000, pause ? 2 * pause : 1000);
      setTimeout(open, pause);
    };
  };

  setTime(Number(live.dataset.now));
  tick();
  open();
  setInterval(tick, 250);
  setInterval(() => { if (performance.now() - heard > silence) open(); }, 5000);
  // A page that is kept to go back to would keep its way to the board too, of which a browser has six.
  addEventListener("pagehide", () => { if (source) source.close(); });
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) open(); }); // it may have slept
})();
