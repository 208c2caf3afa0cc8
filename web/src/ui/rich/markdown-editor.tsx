import { placeOfPicture, picturesElsewhere, picturesIn } from '@pennant/contract/text-pictures.ts'
import { useContext, useRef, useState, type ClipboardEvent, type DragEvent } from 'react'
import { announce } from '../announcer.tsx'
import { Button, IconButton } from '../buttons/button.tsx'
import { Outline } from '../icon.tsx'
import { PictureSources } from '../picture-sources.ts'
import { useUiMessages } from '../ui-messages.ts'
import { useDebouncedValue } from '../use-debounced-value.ts'
import { FileInput } from '../upload/file-input.tsx'
import { CodeEditor } from './code-editor.tsx'
import type { Editor } from './code-mirror.ts'
import { formatted, type Format } from './markdown-format.ts'
import styles from './editor.module.css'
import { storePictures, type Stored } from './store-pictures.ts'

/** Icons of the formats, in the order of the toolbar. */
const FORMATS: readonly (readonly [Format, icon: string])[] = [
  ['bold', 'M4.5 2.5h4a2.7 2.7 0 0 1 0 5.5h-4Zm0 5.5h4.7a2.75 2.75 0 0 1 0 5.5H4.5Z'],
  ['italic', 'M6.5 2.5h5m-7 11h5m-.5-11-2 11'],
  ['heading', 'M3.5 2.5v11m9-11v11M3.5 8h9'],
  [
    'link',
    'M6.5 9.5 9.5 6.5M7 4.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3.2 3.2 0 0 1 3 8.5L4.5 7',
  ],
  ['code', 'm5 4-3.5 4L5 12m6-8 3.5 4L11 12'],
  ['list', 'M6 4h8M6 8h8m-8 4h8M2.5 4h.1m-.1 4h.1m-.1 4h.1'],
  ['note', 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 7.3v3.7M8 5v.1'],
  ['connection', 'M2 3h12v10H2ZM4.5 6l2 2-2 2M8.5 10h3'],
]

interface MarkdownEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly readOnly?: boolean
  /** Uploads a file, and returns the Markdown for it. */
  readonly onFile: (file: File) => Promise<Stored>
  /** Stores a picture of another site, and returns its new address. */
  readonly onPicture: (address: string) => Promise<Stored>
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

function WritableEditor({ label, value, onChange, onFile, onPicture }: MarkdownEditorProps) {
  const messages = useUiMessages()
  const editor = useRef<Editor>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const format = (name: Format) => editor.current?.edit((text, selection) => formatted(text, selection, name))
  const take = async (files: readonly File[]) => {
    setBusy(true)
    setFailure(undefined)
    try {
      for (const file of files) {
        const stored = await onFile(file)
        if ('failure' in stored) setFailure(`${file.name}: ${stored.failure}`)
        else editor.current?.edit((_, { to }) => inserted(`${stored.text}\n`, to))
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
        {FORMATS.map(([name, icon]) => (
          <Button
            key={name}
            tone="quiet"
            className={styles.tool}
            aria-label={messages.formats[name]}
            title={messages.formats[name]}
            onClick={() => format(name)}
          >
            <Outline d={icon} />
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
      {failure !== undefined && <p role="alert">{failure}</p>}
      <UnseenPictures
        text={value}
        onPicture={onPicture}
        onStored={(change) =>
          editor.current?.edit((text, { from }) => ({
            from: 0,
            to: text.length,
            insert: change(text),
            select: { from, to: from },
          }))
        }
      />
    </div>
  )
}

/** Looking through a long text at each key would be slow. */
const CHECK_DELAY_MS = 500

interface UnseenPicturesProps extends Pick<MarkdownEditorProps, 'onPicture'> {
  readonly text: string
  /** Gets what changes the text. */
  readonly onStored: (change: (text: string) => string) => void
}

/** Names the pictures that readers will not see, and stores those of other sites. */
function UnseenPictures({ text, onPicture, onStored }: UnseenPicturesProps) {
  const messages = useUiMessages()
  const [isBusy, setBusy] = useState(false)
  const [failures, setFailures] = useState<readonly string[]>([])
  const sources = [location.origin, ...useContext(PictureSources)]
  const checked = useDebouncedValue(text, CHECK_DELAY_MS)
  const unseen = picturesIn(checked).filter((address) => placeOfPicture(address, sources) !== 'seen')
  const elsewhere = picturesElsewhere(checked, sources)
  const store = async () => {
    setBusy(true)
    const stored = await storePictures(elsewhere, onPicture)
    setBusy(false)
    setFailures(stored.failures)
    if (stored.count === 0) return
    onStored(stored.change)
    announce(messages.picturesStored(stored.count))
  }
  return (
    <div className={styles.unseen}>
      <p role="status">{unseen.length > 0 && messages.unseenPictures(unseen.join(', '))}</p>
      {elsewhere.length > 0 && (
        <>
          <Button busy={isBusy} onClick={() => void store()}>
            {messages.storePictures}
          </Button>
          <ul role="alert">
            {failures.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function inserted(insert: string, at: number) {
  const end = at + insert.length
  return { from: at, to: at, insert, select: { from: end, to: end } }
}
