import { useEffect, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { followScroll } from '../../../ui/data/follow-scroll.ts'

/** How far down the viewport the line is that separates sections already read from those to come. */
const READING_LINE = 0.35

/** Input by which people scroll or work on: from then on the page must not scroll to the section. */
const TAKES_OVER = ['wheel', 'touchmove', 'keydown'] as const
const ENDS_PRESS = ['pointerup', 'pointercancel'] as const

/**
 * Scrolls to the section that the address names, and returns the id of the section that is being read. A
 * section stays where it was jumped to while content above it is still loading, and so does what is being pressed: a
 * button that moves between press and release is not clicked.
 */
export function useSectionJumps(form: RefObject<HTMLElement | null>): string | undefined {
  const { key, search } = useLocation()
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    const root = form.current
    if (!root) return
    let target = sectionOf(root, new URLSearchParams(search).get('tab'))
    const look = () => {
      const sections = [...root.querySelectorAll<HTMLElement>('[data-section]')]
      setCurrent((target ?? sectionAtLine(sections))?.dataset['section'])
    }
    let pressed: { readonly element: Element; readonly top: number } | null = null
    const stay = () => {
      if (pressed) scrollBy(0, pressed.element.getBoundingClientRect().top - pressed.top)
      else target?.scrollIntoView({ block: 'start' })
    }
    const takeOver = () => {
      target = null
    }
    const press = ({ target: element }: PointerEvent) => {
      takeOver()
      if (element instanceof Element) pressed = { element, top: element.getBoundingClientRect().top }
    }
    const release = () => {
      pressed = null
    }
    target?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    const resized = new ResizeObserver(stay)
    resized.observe(root)
    stay()
    const unfollow = followScroll(root, look)
    const ended = new AbortController()
    const { signal } = ended
    const early = { passive: true, capture: true, signal }
    addEventListener('scroll', look, { passive: true, signal })
    addEventListener('pointerdown', press, early)
    for (const name of TAKES_OVER) addEventListener(name, takeOver, early)
    for (const name of ENDS_PRESS) addEventListener(name, release, early)
    return () => {
      ended.abort()
      resized.disconnect()
      unfollow()
    }
    // A click on the same link again is a new location with another key.
  }, [form, key, search])
  return current
}

function sectionOf(root: HTMLElement, id: string | null): HTMLElement | null {
  return id === null ? null : root.querySelector<HTMLElement>(`[data-section="${CSS.escape(id)}"]`)
}

/** The last section that starts above the line; at the end of the page the last one. */
function sectionAtLine(sections: readonly HTMLElement[]): HTMLElement | undefined {
  const page = document.documentElement
  const isAtEnd = page.scrollTop > 0 && page.scrollTop + page.clientHeight >= page.scrollHeight - 1
  const line = page.clientHeight * READING_LINE
  const begun = sections.filter((each) => each.getBoundingClientRect().top <= line)
  return isAtEnd ? sections.at(-1) : (begun.at(-1) ?? sections[0])
}
