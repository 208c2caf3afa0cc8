import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useWords } from '../words.ts'
import type { Editor, LineMark } from './code-mirror.ts'
import styles from './rich.module.css'
import type { OffersAt } from './typescript.ts'

interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange?: (text: string) => void
  readonly language?: 'markdown' | 'typescript' | 'plain'
  readonly marks?: readonly LineMark[]
  /** Names that are offered in TypeScript besides those in scope. */
  readonly offersAt?: OffersAt
  readonly readOnly?: boolean
  readonly help?: ReactNode
  /** Holds the editor while it stands. */
  readonly editorRef?: RefObject<Editor | undefined>
}

/** More letters than are typed between two renderings. */
const MOST_ECHOES = 50

const NO_MARKS: readonly LineMark[] = []

/** A text of many lines with numbers, colours and marks. Tab indents; Escape, then Tab, leaves. */
export function CodeEditor(props: CodeEditorProps) {
  const {
    label,
    value,
    onChange,
    language = 'plain',
    marks = NO_MARKS,
    readOnly = false,
    help,
    offersAt,
  } = props
  const words = useWords()
  const host = useRef<HTMLDivElement>(null)
  const own = useRef<Editor>(undefined)
  const editor = props.editorRef ?? own
  /** Texts that the editor told and that did not come back as its value yet. */
  const echoes = useRef<readonly string[]>([])
  const latest = useRef({ value, marks, onChange, offersAt })
  useEffect(() => {
    latest.current = { value, marks, onChange, offersAt }
  })
  useEffect(() => {
    const place = host.current
    if (!place) return
    // An element keeps its first shadow root: it is used again when the editor is made anew.
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
    const parent = document.createElement('div')
    root.replaceChildren(parent)
    let wanted = true
    const begin = async () => {
      const { createEditor, loadSyntax } = await import('./code-mirror.ts')
      const syntax = await loadSyntax(language, (at) => latest.current.offersAt?.(at) ?? [])
      if (!wanted) return
      const change = (text: string) => {
        echoes.current = [...echoes.current, text].slice(-MOST_ECHOES)
        latest.current.onChange?.(text)
      }
      editor.current = createEditor({
        parent,
        root,
        text: latest.current.value,
        language,
        syntax,
        label,
        readOnly,
        onChange: change,
      })
      editor.current.setMarks(latest.current.marks)
    }
    void begin()
    return () => {
      wanted = false
      editor.current?.destroy()
      editor.current = undefined
    }
  }, [language, label, readOnly, editor])
  useEffect(() => {
    const at = echoes.current.lastIndexOf(value)
    echoes.current = at < 0 ? [] : echoes.current.slice(at + 1)
    // What was typed comes back later than the next letter is typed: only what came from elsewhere is put in.
    if (at < 0) editor.current?.setText(value)
  }, [value, editor])
  useEffect(() => editor.current?.setMarks(marks), [marks, editor])
  return (
    <div>
      <div ref={host} className={styles.editor} />
      {help ?? <small>{words.editorHelp}</small>}
    </div>
  )
}
