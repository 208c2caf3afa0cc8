import {
  memo,
  use,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { createPortal } from 'react-dom'
import { PictureSources } from '../picture-sources.ts'
import { useUiMessages } from '../ui-messages.ts'
import { decorate } from './decorate.ts'
import { linkFootnotes } from './footnotes.ts'
import { renderMarkdown } from './render-markdown.ts'
import { isFrom, linkPictures } from './link-pictures.ts'
import { mayHaveMaths } from './maths-syntax.ts'
import styles from './rich.module.css'

interface MarkdownProps {
  readonly text: string
  /** Replaces `<timer/>` in the text. */
  readonly timer?: ReactNode
  /** False for texts of players: pictures become links, because loading one tells its server who reads. */
  readonly hasPictures?: boolean
}

let maths: Promise<((fragment: DocumentFragment) => void) | null> | undefined

/** Null if it could not be loaded: formulas are shown as they were written. */
function loadTypesetter() {
  return (maths ??= import('./typeset.ts').then(
    ({ typeset }) => typeset,
    () => null,
  ))
}

/**
 * Renders Markdown. This is the only place where foreign markup enters the page. Load
 * it lazily, because it is large.
 */
export const Markdown = memo(function Markdown({ text, timer, hasPictures = true }: MarkdownProps) {
  const messages = useUiMessages()
  const sources = useContext(PictureSources)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  // With the text, not after it: formulas are not as high as their source.
  const typeset = mayHaveMaths(text) ? use(loadTypesetter()) : null
  const [clocks, setClocks] = useState<readonly Element[]>([])
  useLayoutEffect(() => {
    const fragment = renderMarkdown(text)
    linkPictures(fragment, hasPictures ? isFrom(sources) : () => false, messages)
    linkFootnotes(fragment, `note-${id}`, messages)
    decorate(fragment, messages)
    typeset?.(fragment)
    place.current?.replaceChildren(fragment)
    setClocks(Array.from(place.current?.querySelectorAll('[data-pn-timer]') ?? []))
  }, [text, messages, hasPictures, sources, typeset, id])
  useEffect(() => {
    const blocks = place.current?.querySelectorAll<HTMLElement>('[data-pn-code]:not([data-pn-code=""])')
    // Without the colours, the code is complete.
    if (blocks?.length)
      void import('./highlight.ts').then(
        ({ highlight }) => highlight(blocks),
        () => {},
      )
  }, [text, messages, hasPictures, sources, typeset, id])
  return (
    <>
      <div ref={place} className={styles.markdown} />
      {clocks.map((clock, at) => createPortal(timer, clock, String(at)))}
    </>
  )
})
