import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react'
import { Button, IconButton } from '../buttons/button.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { FileInput } from '../upload/file-input.tsx'
import { CodeEditor } from './code-editor.tsx'
import type { Editor } from './code-mirror.ts'
import { formatted, type Format } from './markdown-format.ts'
import styles from './rich.module.css'

const FORMATS: readonly Format[] = ['bold', 'italic', 'heading', 'link', 'code', 'list', 'note', 'connection']

interface MarkdownEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly readOnly?: boolean
  /** Uploads a file and returns the Markdown for it; null if the upload failed, which it reports itself. */
  readonly onFile: (file: File) => Promise<string | null>
}

/**
 * Markdown editor with a toolbar. Files can be chosen, dropped or pasted, and are inserted as images or
 * links.
 */
export function MarkdownEditor({ readOnly = false, ...props }: MarkdownEditorProps) {
  const { label, value } = props
  if (readOnly) return <CodeEditor readOnly label={label} language="markdown" value={value} />
  return <WritableEditor {...props} />
}

function WritableEditor({ label, value, onChange, onFile }: MarkdownEditorProps) {
  const messages = useUiMessages()
  const editor = useRef<Editor>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const format = (name: Format) => editor.current?.edit((text, selection) => formatted(text, selection, name))
  const take = async (files: readonly File[]) => {
    setBusy(true)
    try {
      for (const file of files) {
        const link = await onFile(file)
        if (link !== null) editor.current?.edit((_, { to }) => inserted(`${link}\n`, to))
      }
    } finally {
      setBusy(false)
    }
  }
  const catchFiles = (event: DragEvent | ClipboardEvent, data: DataTransfer) => {
    if (data.files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    void take(Array.from(data.files))
  }
  return (
    <div
      onDropCapture={(event) => catchFiles(event, event.dataTransfer)}
      onPasteCapture={(event) => catchFiles(event, event.clipboardData)}
    >
      <div role="toolbar" aria-label={messages.formatting(label)} className={styles.toolbar}>
        {FORMATS.map((name) => (
          <Button key={name} tone="quiet" onClick={() => format(name)}>
            {messages.formats[name]}
          </Button>
        ))}
        <FileInput ref={input} multiple onFiles={(files) => void take(files)} />
        <IconButton
          icon="picture"
          label={messages.insertFile}
          busy={isBusy}
          onClick={() => input.current?.click()}
        />
      </div>
      <CodeEditor label={label} language="markdown" value={value} onChange={onChange} editorRef={editor} />
    </div>
  )
}

function inserted(insert: string, at: number) {
  const end = at + insert.length
  return { from: at, to: at, insert, select: { from: end, to: end } }
}
