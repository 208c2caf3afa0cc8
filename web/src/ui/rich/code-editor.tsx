import { useEffect, useRef, type ReactNode } from 'react'
import { useWords } from '../words.ts'
import type { Editor, LineMark } from './code-mirror.ts'
import styles from './rich.module.css'

interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange?: (text: string) => void
  readonly language?: 'markdown' | 'typescript' | 'plain'
  readonly marks?: readonly LineMark[]
  readonly readOnly?: boolean
  readonly help?: ReactNode
}

const NO_MARKS: readonly LineMark[] = []

/** A text of many lines with numbers, colours and marks. Tab indents; Escape, then Tab, leaves. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, language = 'plain', marks = NO_MARKS, readOnly = false, help } = props
  const words = useWords()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const latest = useRef({ value, marks, onChange })
  useEffect(() => {
    latest.current = { value, marks, onChange }
  })
  useEffect(() => {
    const place = host.current
    if (!place) return
    // An element keeps its first shadow root: it is used again when the editor is made anew.
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
    const parent = document.createElement('div')
    root.replaceChildren(parent)
    let wanted = true
    void import('./code-mirror.ts').then(({ createEditor }) => {
      if (!wanted) return
      const change = (text: string) => latest.current.onChange?.(text)
      editor.current = createEditor({
        parent,
        root,
        text: latest.current.value,
        language,
        label,
        readOnly,
        onChange: change,
      })
      editor.current.setMarks(latest.current.marks)
    })
    return () => {
      wanted = false
      editor.current?.destroy()
      editor.current = undefined
    }
  }, [language, label, readOnly])
  useEffect(() => editor.current?.setText(value), [value])
  useEffect(() => editor.current?.setMarks(marks), [marks])
  return (
    <div>
      <div ref={host} className={styles.editor} />
      {help ?? <small>{words.editorHelp}</small>}
    </div>
  )
}
