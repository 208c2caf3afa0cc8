/** Looks at an element now, and whenever it is scrolled or gets another size. What is given back ends that. */
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
