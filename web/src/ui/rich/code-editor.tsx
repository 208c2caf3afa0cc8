import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useUiMessages } from '../ui-messages.ts'
import type { Editor, LineMark } from './code-mirror.ts'
import styles from './editor.module.css'
import type { OffersAt } from './typescript.ts'

interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange?: (text: string) => void
  readonly language?: 'markdown' | 'typescript' | 'plain'
  readonly marks?: readonly LineMark[]
  /** Completions for TypeScript in addition to the names in scope. */
  readonly offersAt?: OffersAt
  readonly readOnly?: boolean
  readonly help?: ReactNode
  /** Set to the editor instance while it is mounted. */
  readonly editorRef?: RefObject<Editor | undefined>
}

/** More than the keystrokes between two renders. */
const MAX_ECHOES = 50

const NO_MARKS: readonly LineMark[] = []

/**
 * A multi-line code editor with line numbers, highlighting and markers. Except in Markdown, Tab indents;
 * Escape, then Tab, leaves it.
 */
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
  const messages = useUiMessages()
  const host = useRef<HTMLDivElement>(null)
  const own = useRef<Editor>(undefined)
  const editor = props.editorRef ?? own
  const [isPlain, setPlain] = useState(false)
  /** Texts reported by the editor that have not come back as `value` yet. */
  const echoes = useRef<readonly string[]>([])
  const latest = useRef({ value, marks, onChange, offersAt })
  useEffect(() => {
    latest.current = { value, marks, onChange, offersAt }
  })
  useEffect(() => {
    const place = host.current
    if (!place) return
    // An element keeps its shadow root, so reuse it when the editor is created again.
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
    const parent = document.createElement('div')
    root.replaceChildren(parent)
    let wanted = true
    const begin = async () => {
      const { createEditor, loadSyntax } = await import('./code-mirror.ts')
      const syntax = await loadSyntax(language, (at) => latest.current.offersAt?.(at) ?? [])
      if (!wanted) return
      const change = (text: string) => {
        echoes.current = [...echoes.current, text].slice(-MAX_ECHOES)
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
    begin().catch(() => wanted && setPlain(true))
    return () => {
      wanted = false
      editor.current?.destroy()
      editor.current = undefined
    }
  }, [language, label, readOnly, editor])
  useEffect(() => {
    const at = echoes.current.lastIndexOf(value)
    echoes.current = at < 0 ? [] : echoes.current.slice(at + 1)
    // Typed text comes back as `value` after newer keystrokes, so only apply values from elsewhere.
    if (at < 0) editor.current?.setText(value)
  }, [value, editor])
  useEffect(() => editor.current?.setMarks(marks), [marks, editor])
  if (isPlain) return <PlainEditor {...props} />
  return (
    <div>
      <div ref={host} className={styles.editor} />
      {help ?? (language !== 'markdown' && <small>{messages.editorHelp}</small>)}
    </div>
  )
}

/** The same without numbers and colours, if the editor cannot be loaded. */
function PlainEditor({ label, value, onChange, readOnly = false, help }: CodeEditorProps) {
  return (
    <div>
      <textarea
        aria-label={label}
        className={styles.editor}
        value={value}
        readOnly={readOnly}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
      {help}
    </div>
  )
}
