import { memo, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useUiMessages } from '../ui-messages.ts'
import { decorate } from './decorate.ts'
import { renderMarkdown } from './render-markdown.ts'
import { linkPictures } from './link-pictures.ts'
import styles from './rich.module.css'

interface MarkdownProps {
  readonly text: string
  /** Replaces `<timer/>` in the text. */
  readonly timer?: ReactNode
  /** False for texts of players: pictures become links, because loading one tells its server who reads. */
  readonly hasPictures?: boolean
}

/**
 * Renders Markdown. This is the only place where foreign markup enters the page. Load
 * it lazily, because it is large.
 */
export const Markdown = memo(function Markdown({ text, timer, hasPictures = true }: MarkdownProps) {
  const messages = useUiMessages()
  const place = useRef<HTMLDivElement>(null)
  const [clocks, setClocks] = useState<readonly Element[]>([])
  useLayoutEffect(() => {
    const fragment = renderMarkdown(text)
    if (!hasPictures) linkPictures(fragment)
    decorate(fragment, messages)
    place.current?.replaceChildren(fragment)
    setClocks(Array.from(place.current?.querySelectorAll('[data-pn-timer]') ?? []))
  }, [text, messages, hasPictures])
  return (
    <>
      <div ref={place} className={styles.markdown} />
      {clocks.map((clock, at) => createPortal(timer, clock, String(at)))}
    </>
  )
})
