// The arrow keys go through a match move by move.
"use strict";
document.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (way && !event.altKey && !event.ctrlKey && !event.metaKey) document.querySelector(`a[rel=${way}]`)?.click();
});
