import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Skeleton } from '../states/skeleton.tsx'
import { useWords } from '../words.ts'
import type { decorate as Decorate } from './decorate.ts'
import styles from './rich.module.css'

interface MarkdownProps {
  readonly text: string
  /** Stands where the text says `<timer/>`. */
  readonly timer?: ReactNode
}

type Render = (text: string) => DocumentFragment

/** A text of the organisers. The only place where markup that we did not write enters the page. */
export const Markdown = memo(function Markdown({ text, timer }: MarkdownProps) {
  const words = useWords()
  const place = useRef<HTMLDivElement>(null)
  const [tools, setTools] = useState<{ render: Render; decorate: typeof Decorate } | null>(null)
  const [clocks, setClocks] = useState<readonly Element[]>([])
  useEffect(() => {
    let wanted = true
    const load = Promise.all([import('./render-markdown.ts'), import('./decorate.ts')])
    void load.then(([{ renderMarkdown }, { decorate }]) => {
      if (wanted) setTools({ render: renderMarkdown, decorate })
    })
    return () => {
      wanted = false
    }
  }, [])
  useLayoutEffect(() => {
    if (!tools) return
    const fragment = tools.render(text)
    tools.decorate(fragment, words)
    place.current?.replaceChildren(fragment)
    setClocks(Array.from(place.current?.querySelectorAll('[data-pn-timer]') ?? []))
  }, [tools, text, words])
  return (
    <>
      {!tools && <Skeleton rows={3} />}
      <div ref={place} className={styles.markdown} />
      {clocks.map((clock, at) => createPortal(timer, clock, String(at)))}
    </>
  )
})
