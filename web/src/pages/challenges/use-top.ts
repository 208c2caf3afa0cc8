import { useEffect, type RefObject } from 'react'

/**
 * Keeps `--top` of the page at the distance of the list from the top of the window in pixels: a notice strip
 * moves the list down until the page is scrolled past it.
 */
export function useTop(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const here = page.current
    if (!here) return
    const measure = () => {
      const header = document.querySelector('header')?.offsetHeight ?? 0
      here.style.setProperty('--top', `${Math.max(here.getBoundingClientRect().top, header)}px`)
    }
    // A strip that comes or goes changes the size of the page or of the document.
    const sizes = new ResizeObserver(measure)
    sizes.observe(here)
    sizes.observe(document.body)
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      sizes.disconnect()
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [page])
}
