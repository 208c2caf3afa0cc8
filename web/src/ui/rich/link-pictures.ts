/** Replaces pictures by links to them. Modifies the fragment, which belongs to no page, so that nothing is loaded. */
export function linkPictures(fragment: DocumentFragment): void {
  for (const image of fragment.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? ''
    const link = image.ownerDocument.createElement('a')
    link.href = source
    link.textContent = image.alt || source
    // A link inside a link would be invalid.
    image.replaceWith(source === '' || image.closest('a') ? image.alt || source : link)
  }
}
