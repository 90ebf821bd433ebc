// Blocking, and tiny: the theme is known before anything is painted.
try {
  const theme = localStorage.getItem("memex.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  /* No storage: the system's theme. */
}
