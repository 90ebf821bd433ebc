/** Where the focus goes: to what a view is about, and back to where it came from. */

/** Focus an element that need not be focusable, without scrolling to it. */
export function focusOn(element) {
  if (!element) return;
  if (!element.matches("a[href], button, input, textarea, select, summary, [tabindex]")) element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
}

/** Whether what is typed now belongs to a field. */
export function typing(target = document.activeElement) {
  return Boolean(target?.closest?.("input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]"));
}

/** Whether the reader holds a selection, which nothing that draws may take away. */
export function selecting(within = document.body) {
  const selection = getSelection();
  return Boolean(selection && !selection.isCollapsed && within.contains(selection.anchorNode));
}
