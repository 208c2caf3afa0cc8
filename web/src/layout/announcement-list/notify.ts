interface Notice {
  readonly body: string
  /** Keeps several tabs from showing it more than once. */
  readonly tag: string
}

/** Shows a notification of the browser. A click on it returns to the page. */
export function notify(heading: string, notice: Notice): void {
  try {
    const shown = new Notification(heading, notice)
    shown.addEventListener('click', () => window.focus())
  } catch {
    // Browsers of phones only allow notifications by a service worker.
  }
}
