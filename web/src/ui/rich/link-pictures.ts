import type { UiMessages } from '../../text/en/ui.ts'

/**
 * Replaces pictures by links to them where they must not be loaded. Modifies the fragment, which belongs to no page, so that nothing is
 * loaded before.
 */
export function linkPictures(
  fragment: DocumentFragment,
  mayLoad: (address: URL) => boolean,
  messages: UiMessages,
): void {
  for (const image of fragment.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? ''
    const address = URL.canParse(source, location.href) ? new URL(source, location.href) : null
    if (address && mayLoad(address)) continue
    const name = image.alt || source
    const link = document.createElement('a')
    link.href = source
    link.textContent = name
    // A link inside a link would be invalid.
    const shown = address === null || image.closest('a') ? name : link
    const isElsewhere = address && address.host !== location.host
    image.replaceWith(shown, ...(isElsewhere ? [` ${messages.pictureNotLoaded(address.host)}`] : []))
  }
}

/** Whether a picture is on the site, in the text itself, or in one of the sources. */
export function isFrom(sources: readonly string[]): (address: URL) => boolean {
  return ({ protocol, origin }) =>
    origin === location.origin ||
    protocol === 'data:' ||
    sources.includes(origin) ||
    sources.includes(protocol)
}
