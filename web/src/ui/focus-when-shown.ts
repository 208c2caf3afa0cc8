/**
 * As `ref` of a secret that is shown once: it pushes the button that made it out of view, or replaces it, so the focus
 * moves to it. The element needs `tabIndex={-1}`, and another `key` for each secret.
 */
export function focusWhenShown(element: HTMLElement | null): void {
  element?.focus()
}
