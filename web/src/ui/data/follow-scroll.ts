/** Calls `look` now and whenever the element is scrolled or resized. Returns a function that stops it. */
export function followScroll(element: HTMLElement, look: () => void): () => void {
  look()
  const resized = new ResizeObserver(look)
  resized.observe(element)
  element.addEventListener('scroll', look, { passive: true })
  return () => {
    resized.disconnect()
    element.removeEventListener('scroll', look)
  }
}
