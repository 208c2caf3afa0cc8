import { memo, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useWords } from '../words.ts'
import { decorate } from './decorate.ts'
import { renderMarkdown } from './render-markdown.ts'
import styles from './rich.module.css'

interface MarkdownProps {
  readonly text: string
  /** Stands where the text says `<timer/>`. */
  readonly timer?: ReactNode
}

/**
 * A text of the organisers. The only place where markup that we did not write enters the page. Heavy: loaded lazily by
 * whoever shows it.
 */
export const Markdown = memo(function Markdown({ text, timer }: MarkdownProps) {
  const words = useWords()
  const place = useRef<HTMLDivElement>(null)
  const [clocks, setClocks] = useState<readonly Element[]>([])
  useLayoutEffect(() => {
    const fragment = renderMarkdown(text)
    decorate(fragment, words)
    place.current?.replaceChildren(fragment)
    setClocks(Array.from(place.current?.querySelectorAll('[data-pn-timer]') ?? []))
  }, [text, words])
  return (
    <>
      <div ref={place} className={styles.markdown} />
      {clocks.map((clock, at) => createPortal(timer, clock, String(at)))}
    </>
  )
})
